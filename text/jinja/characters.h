// Characters (code points) of UTF-8 text, counted and addressed as Python does. Inside text/jinja/ only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace craft::jinja {

size_t next_character(std::string_view text, size_t at);  // the byte after the character at `at`
size_t count_characters(std::string_view text);
bool is_ascii(std::string_view text);
// The byte where character number `index` starts; text.size() from the last one on.
size_t byte_of_character(std::string_view text, size_t index);
bool is_space_text(std::string_view text);  // Python's str.isspace(), also false for ""

// Python's str.upper(), capitalize() and title(); lowercase() is in text/utf8.h.
std::string uppercase(std::string_view text);
std::string capitalize(std::string_view text);
std::string titlecase(std::string_view text);
bool is_printable(char32_t c);  // Python's str.isprintable() of one character

enum class Strip { left, right, both };
// What is left of [0, size) without white space, or without the characters of `chars`, at its ends.
std::pair<size_t, size_t> stripped(std::string_view text, Strip sides, const std::string* chars = nullptr);

}  // namespace craft::jinja
