// The UTF-8 validator, below everything that reads files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace craft {

// Byte offset of the first byte that is not well-formed UTF-8 (overlong forms, surrogates and code points above U+10FFFF
// included; a sequence cut short is reported at its first byte); std::string_view::npos if there is none.
size_t invalid_utf8_at(std::string_view text);
// At most `bytes` of `text`, never cut inside a code point, with "..." where something was cut off: for messages.
std::string shortened(std::string_view text, size_t bytes);

// `text` with a blank in place of each control character, which could move a terminal's cursor or break a line in two.
std::string one_line(std::string text);

}  // namespace craft
