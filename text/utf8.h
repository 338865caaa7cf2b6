// Case, trimming and length of UTF-8 text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/utf8.h"  // invalid_utf8_at

namespace craft {

// Python's str.lower(): Unicode's full lower-casing without locale, final sigma included. Bytes that are not UTF-8 stay as
// they are.
std::string lowercase(std::string_view text);
std::string uppercase_first(std::string_view text);  // the first code point in title case
std::string trim(std::string_view text);             // Python's str.strip(): ASCII and Unicode white space at both ends
std::string_view trim_view(std::string_view text);   // the same as a part of `text`
size_t count_code_points(std::string_view text);     // a byte that is not UTF-8 counts as one

}  // namespace craft
