// Sentences as link-grammar is given them, and what its parse says of their tokens.
#pragma once

#include <string>
#include <vector>

#include "english/constituents.h"
#include "english/token.h"

namespace craft {

// A sentence as it is parsed: its words with plain quotes, and blanks where English has them, so that "do n't" of tokenised
// text is the word that it was.
struct ParseText {
    std::string text;
    std::vector<size_t> begins;  // byte of each word
};
ParseText parse_text(const std::vector<std::string>& words);
// The same of a sentence's tokens but for white space, whose places are those of the token after it.
ParseText parse_text(const EnglishDocument& tokens);

// Which tokens the parse leaves out.
std::vector<size_t> left_out_tokens(const ConstituentParse& parse, const ParseText& text);

}  // namespace craft
