// Plain strings as tokens: one rule for `score`, `sft` and `align --pairs`.
#pragma once

#include <string>
#include <vector>

#include "model/tokenizer/tokenizer.h"

namespace craft {

// What a model of whole texts (BERT, BART) reads: leading tokens, the text's own, special spellings recognised, trailing
// tokens.
std::vector<int64_t> encode_whole(const Tokenizer& tokenizer, const std::string& text);

struct PlainTokens {
    std::vector<int64_t> tokens;
    size_t prompt = 0;  // how many of them are the prompt's
};

// A plain string: the tokenizer's leading tokens and its own, special spellings recognised.
std::vector<int64_t> encode_plain(const Tokenizer& tokenizer, const std::string& text);
// Whether a plain string begins with the spelling of what the tokenizer puts in front of it anyway (its BOS token), which
// then stands there twice.
bool spells_leading_tokens(const Tokenizer& tokenizer, const std::string& text);
// One line on stderr for `count` such prompts of a file; nothing for none.
void warn_of_doubled_starts(const Tokenizer& tokenizer, const std::string& file, int64_t count);
// encode(prompt + completion) once, as a plain string; the prompt is the
// longest common prefix with encode(prompt).
PlainTokens encode_plain(const Tokenizer& tokenizer, const std::string& prompt, const std::string& completion);

}  // namespace craft
