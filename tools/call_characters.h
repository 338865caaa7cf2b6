// ASCII classes of the grammar of calls.
#pragma once

#include "core/ascii.h"

namespace craft {

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
inline bool starts_name(char c) {
    return is_ascii_letter(c) || c == '_';
}
inline bool is_name_character(char c) {
    return starts_name(c) || is_digit(c);
}
inline bool is_blank(char c) {
    return c == ' ' || c == '\t';
}
inline bool is_quote(char c) {
    return c == '"' || c == '\'';
}

}  // namespace craft
