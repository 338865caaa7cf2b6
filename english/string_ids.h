// The numbers by which spaCy knows strings, and the rows of a table that a number stands for.
// Reference: spaCy 3.8 (StringStore, symbols) and thinc 8.3 (HashEmbed), which use A. Appleby's MurmurHash 2 and 3.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace craft {

// A string's number: 0 for the empty one, a symbol's own number (1 to 456) for the names that spaCy counts through, such as
// "NOUN", "mark" or "DATE", which are words of texts too, and MurmurHash64A with seed 1 of the bytes for all others.
uint64_t string_id(std::string_view text);

// The four numbers by which rows of a hashed table are chosen: MurmurHash3_x64_128 of the number's eight bytes. (thinc's
// function has x86 in its name, and computes the variant for 64-bit processors.)
std::array<uint32_t, 4> row_hashes(uint64_t id, uint32_t seed);

}  // namespace craft
