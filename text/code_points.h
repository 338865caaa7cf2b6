// Code points and the character classes of Python's `re` and `str`, which NLTK's rules and the paper's tools rely on.
#pragma once

#include <string>
#include <string_view>

namespace craft {

// A byte that is not part of well-formed UTF-8 becomes U+DC80..U+DCFF (Python's surrogateescape) and is written back as
// that byte, so that any bytes pass through unchanged.
std::u32string decode_utf8(std::string_view text);
void append_utf8(std::string& out, char32_t code_point);

// White space of str.split(), str.strip() and \s.
inline bool is_space(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
    if (c < 0x1680) return c == 0x85 || c == 0xA0;
    return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
           c == 0x3000;
}
bool is_word_character(char32_t c);  // \w: letters, numbers of every kind and the underscore (no combining marks)
// The same of Python's `regex` module and of Unicode (UTS #18): with combining marks, without fractions and superscripts;
// white space without the separators U+001C to U+001F.
bool is_unicode_word_character(char32_t c);
inline bool is_unicode_space(char32_t c) {
    return is_space(c) && !(c >= 0x1C && c <= 0x1F);
}
bool is_decimal_digit(char32_t c);         // \d: general category Nd
bool in_number_category(char32_t c);       // \p{N}: numbers of every kind
bool in_punctuation_category(char32_t c);  // \p{P}
bool in_symbol_category(char32_t c);       // \p{S}
bool is_letter(char32_t c);                // of any script, or a combining mark, which is written on one

// The code point that starts at `text[at]`, and its number of bytes; invalid bytes as above. Needs at < text.size().
struct CodePoint {
    char32_t value = 0;
    size_t bytes = 1;
};
CodePoint code_point_at(std::string_view text, size_t at);
// The code point that ends before `text[end]`. Needs end > 0.
CodePoint code_point_before(std::string_view text, size_t end);

}  // namespace craft
