// The tokenizer in a GGUF file's metadata, as the files of a Hugging Face folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.h"
#include "model/files/gguf.h"

namespace craft {

// `gpt2` is byte-level BPE, a tokenizer.json; `llama` is what sentencepiece does with pieces, scores and bytes, a
// tokenizer.model. Throws Error naming the key: another kind, or none.
enum class GgufTokenizerKind { byte_pairs, sentencepiece };
GgufTokenizerKind gguf_tokenizer_kind(const GgufFile& file);

// Each throws Error naming the file and key: a pre-tokenizer that is not known (the known ones are listed), lists of other
// lengths, ids beyond the vocabulary.
std::string gguf_tokenizer_json(const GgufFile& file);
std::string gguf_sentencepiece_model(const GgufFile& file);
Json gguf_tokenizer_config(const GgufFile& file);

// All tokens that end a text: of the end of a sequence, of a turn and of a message, and where no token is said to end a turn
// those that are spelled so, as llama.cpp takes them.
std::vector<int64_t> gguf_end_tokens(const GgufFile& file);

}  // namespace craft
