// The small language model that ships with the project: its perplexity is S_r where no other model is named.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace craft {

// Trains a decoder of 2 layers and width 128 from nothing on the sentences of nine tenths of `texts`, each by itself as
// PerplexityScorer reads them, until an epoch no longer lowers the perplexity of the last tenth. Writes the model folder
// `folder`/model (bfloat16 weights, the files of `tokenizer_folder`); checkpoints and metrics go to
// `folder`/train, so that a stopped run goes on. Returns that perplexity. Throws Error on fewer than ten texts.
double make_language_model(const std::vector<std::string>& texts, const std::filesystem::path& tokenizer_folder,
                           uint64_t seed, const std::filesystem::path& folder);

}  // namespace craft
