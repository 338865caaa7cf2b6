// Tokenizers of old that are a list of tokens and what their class knows: as the tokenizer.json that they stand for. Inside
// tokenizer/ only.
#pragma once

#include <filesystem>

#include "tokenizer/component.h"
#include "tokenizer/tokenizer_config.h"

namespace craft {

// BERT's vocab.txt: a token a line. Lower case and so on as tokenizer_config.json says. Throws Error naming the file: not
// UTF-8, a special token that is not in it.
TokenizerDocument describe_word_pieces(const std::filesystem::path& folder, const TokenizerConfig& config);

// vocab.json and merges.txt of GPT-2, RoBERTa, BART and Qwen2, told apart by tokenizer_class in tokenizer_config.json, else
// by model_type in config.json. Throws Error naming the file; if neither tells, one that lists what is known.
TokenizerDocument describe_byte_pairs(const std::filesystem::path& folder, const TokenizerConfig& config);

}  // namespace craft
