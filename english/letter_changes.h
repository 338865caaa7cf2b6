// How far one spelling is from another.
#pragma once

#include <cstddef>
#include <string_view>

namespace craft {

// Changes that make `b` of `a`: code points put in, left out, replaced, or two neighbours swapped (each once).
size_t letter_changes(std::string_view a, std::string_view b);

}  // namespace craft
