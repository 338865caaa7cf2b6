// White space among the ASCII characters, for loops that meet little else.
#pragma once

#include <array>

namespace craft {

// By code point, for those below 128: as is_space() (text/code_points.h) says, which is Python's str.isspace().
constexpr std::array<bool, 128> kAsciiSpace = [] {
    std::array<bool, 128> table{};
    for (const unsigned char c : {'\t', '\n', '\v', '\f', '\r', '\x1c', '\x1d', '\x1e', '\x1f', ' '}) table[c] = true;
    return table;
}();

}  // namespace craft
