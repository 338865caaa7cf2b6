// A curve in one line of text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace craft {

// At most `columns` of the eight blocks from U+2581 to U+2588, the lowest for the least value: of more values each block is
// the mean of some. A blank where none of them is a finite number; empty without values.
std::string sparkline(const std::vector<double>& values, size_t columns);

}  // namespace craft
