// Character classes as the `tokenizers` library has them: each of its parts stands at a Unicode version of its own. Inside
// model/tokenizer/ only.
#pragma once

#include <string>
#include <string_view>

namespace craft {

bool is_white_space(char32_t c);         // Unicode's White_Space
bool is_word(char32_t c);                // \w of Unicode's regular expressions: letters, marks, decimal digits, connectors
bool is_number_of_any_kind(char32_t c);  // general categories Nd, Nl and No
bool is_wide_punctuation(char32_t c);    // P* as of Unicode 8, and all of ASCII's punctuation
bool is_control_or_format(char32_t c);   // Cc, Cf (as of Unicode 8) and Co
bool is_nonspacing_mark(char32_t c);     // Mn as of Unicode 8
bool is_combining_mark(char32_t c);      // M* as of Unicode 9
bool is_cjk_ideograph(char32_t c);       // BERT's blocks of Chinese characters
void append_lower_case(std::string& out, char32_t c);  // full lower case of one character, without context

// Every maximal part that is not UTF-8 becomes U+FFFD (the rule of WHATWG and of Rust).
std::string replace_invalid_utf8(std::string_view text);

}  // namespace craft
