// How alike two texts are by their characters.
#pragma once

#include <cstddef>
#include <string_view>

namespace craft {

// The length of the longest common subsequence. Bits stand for characters (Hyyro 2004, Bit-parallel LCS-length computation
// revisited), so that texts of m and n characters take m n / 64 steps at most, and memory in proportion to m + n.
size_t common_subsequence(std::u32string_view a, std::u32string_view b);

// 0-1, Levenshtein.ratio of the Python package (0.27.5): (length of both - distance) / length of both, where the distance
// counts insertions and deletions of code points; two empty texts have 1.
double indel_similarity(std::string_view a, std::string_view b);

}  // namespace craft
