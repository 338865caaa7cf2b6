// What the class of a tokenizer says where its folder's files do not. Inside model/tokenizer/ only.
#pragma once

#include <string>

#include "model/tokenizer/tokenizer_config.h"

namespace craft {

// tokenizer_class of tokenizer_config.json, else that of config.json's model_type; "" if neither says. Throws Error naming
// config.json if it cannot be read.
std::string tokenizer_class_of(const ModelDocuments& model, const TokenizerConfig& config);

// Names the special tokens of the class that the files do not name (GPT-2's end is <|endoftext|>), as transformers does. A
// name that a file sets to null stays without a token.
void name_class_tokens(const std::string& tokenizer_class, TokenizerConfig& config);

}  // namespace craft
