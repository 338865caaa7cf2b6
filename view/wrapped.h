// Styled text broken into lines of a width.
#pragma once

#include <cstdint>
#include <vector>

#include "view/page.h"

namespace craft {

struct WrappedLine {
    StyledText text;  // without line breaks; what a terminal would obey is U+FFFD
    int64_t width = 0;
};
// Lines of at most `width` columns, the first of `width` + `hanging`; line breaks of the text stay. At least one line.
std::vector<WrappedLine> wrapped(const StyledText& text, int64_t width, int64_t hanging = 0);

}  // namespace craft
