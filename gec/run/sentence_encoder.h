// Vectors of sentences by a local encoder, for retrieval: the mean of its last layer's states, brought to length 1, as
// sentence-transformers makes them of all-MiniLM-L6-v2.
#pragma once

#include <filesystem>

#include "gec/retrieval/sentence_vectors.h"
#include "model/kernels/placement.h"

namespace craft {

// Without --dtype, bfloat16 on processors that multiply it. Sentences are cut at 256 tokens; special tokens count in the
// mean. May be called by several threads, one at a time. Throws Error as Encoder::load() and open_tokenizer() do, and
// UsageError as open_placement().
SentenceEncoder open_sentence_encoder(const std::filesystem::path& folder, const PlacementOptions& placing);

}  // namespace craft
