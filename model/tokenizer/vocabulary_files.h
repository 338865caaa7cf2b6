// Tokenizers of old that are a list of tokens and what their class knows: as the tokenizer.json that they stand for. Inside
// model/tokenizer/ only.
#pragma once

#include <filesystem>

#include "model/tokenizer/component.h"
#include "model/tokenizer/tokenizer_config.h"

namespace craft {

// Both take the special tokens that the configuration names, those of the class included (name_class_tokens()).
//
// BERT's vocab.txt: a token a line. Lower case and so on as tokenizer_config.json says. Throws Error naming the file: not
// UTF-8, a special token that is not in it.
TokenizerDocument describe_word_pieces(const std::filesystem::path& folder, const TokenizerConfig& config);

// vocab.json and merges.txt of GPT-2, RoBERTa, BART and Qwen2, told apart by tokenizer_class_of(). Throws Error naming the
// file; for another class one that lists those that are known.
TokenizerDocument describe_byte_pairs(const std::filesystem::path& folder, const std::string& tokenizer_class,
                                      const TokenizerConfig& config);

}  // namespace craft
