// Letters and white space of ASCII, whatever the locale. Bytes of other characters stay as they are, and places in a text
// stay where they were.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace craft {

constexpr bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr char ascii_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string ascii_lower(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = ascii_lower(c);
    return lower;
}
inline bool equals_in_any_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}
inline bool starts_in_any_case(std::string_view text, std::string_view beginning) {
    return equals_in_any_case(text.substr(0, beginning.size()), beginning);
}
// Where `word` first stands in `text` in any case; npos: nowhere.
inline size_t find_in_any_case(std::string_view text, std::string_view word) {
    const auto found = std::search(text.begin(), text.end(), word.begin(), word.end(),
                                   [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
    return found == text.end() ? std::string_view::npos : static_cast<size_t>(found - text.begin());
}
// The part of `text` without these characters at both ends. White space of Unicode: trim_view() of text/utf8.h.
inline std::string_view stripped(std::string_view text, std::string_view of = " \t\r\n") {
    const size_t from = text.find_first_not_of(of);
    return from == std::string_view::npos ? std::string_view() : text.substr(from, text.find_last_not_of(of) + 1 - from);
}

}  // namespace craft
