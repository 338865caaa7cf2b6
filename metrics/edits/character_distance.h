// Distances of words by their code points, computed 64 cells at a time (Myers 1999; Hyyrö 2003 and 2004). ERRANT takes them
// from RapidFuzz, with whose quotients these agree to the last bit.
#pragma once

#include <cstdint>
#include <string_view>

namespace craft {

// The most cells of a table of two words, without what they have in common at their ends: above it both throw Error.
constexpr int64_t kMaxCharacterCells = int64_t{1} << 30;

// Insertions and deletions that make one of the other, over the sum of the lengths: 0 (equal, or both empty) to 1.
double normalized_indel_distance(std::u32string_view a, std::u32string_view b);
// 1 - insertions, deletions and substitutions over the greater length: 0 to 1 (equal, or both empty).
double levenshtein_similarity(std::u32string_view a, std::u32string_view b);

}  // namespace craft
