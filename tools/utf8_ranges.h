// Sets of characters as what their UTF-8 bytes may be, for automata that read bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/grammar_rules.h"

namespace craft {

struct ByteInterval {
    uint8_t first = 0, last = 0;  // both inclusive
};
// One interval a byte: all combinations of their bytes are meant.
using Utf8Ranges = std::vector<ByteInterval>;

// The UTF-8 of the set's characters, each once. Surrogates are none.
std::vector<Utf8Ranges> utf8_ranges(const CharacterSet& characters);

}  // namespace craft
