// One text for each JSON value, whatever the order of its keys: what keys of recorded answers are hashes of.
#pragma once

#include <string>
#include <string_view>

#include "core/json.h"

namespace craft {

// Keys of objects in the order of their bytes, no blanks. Two values that differ have two texts: a byte that is no UTF-8,
// which a local model may have written into a history, becomes a lone surrogate's escape (0xff: \udcff, as Python's
// surrogateescape has it), and no valid text has one.
std::string canonical_json(const Json& value);
// One string in that form, with its quotation marks.
std::string canonical_string(std::string_view text);

}  // namespace craft
