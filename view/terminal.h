// Pages on a terminal: wrapped to its width, coloured where it is one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "view/page.h"

namespace craft {

struct Terminal {
    int width = 80;       // columns, at least kLeastWidth
    int height = 24;      // lines
    bool colour = false;  // ANSI sequences are understood
    bool is_one = false;  // somebody looks at it
};
constexpr int kLeastWidth = 20;

// What stands behind a file descriptor. $COLUMNS beats what the terminal tells of itself; there is no colour where it is
// none, where NO_COLOR is set (no-color.org) or TERM is "dumb".
Terminal terminal_of(int fd);

// Columns that a text takes: 2 for wide characters (UAX 11), 0 for combining ones. What is not UTF-8 takes one a byte.
int64_t display_width(std::string_view text);

// Lines that end in "\n", none wider than the terminal except for a single character that is. Words are kept whole where
// they fit into a line. Control characters, and marks that turn the direction of what follows them, are shown as U+FFFD and
// do nothing.
std::string lay_out(const DisplayPage& page, const Terminal& terminal);

}  // namespace craft
