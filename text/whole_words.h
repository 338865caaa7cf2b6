// Occurrences of words and phrases as they stand, but not within longer ones.
#pragma once

#include <cstdint>
#include <string_view>

namespace craft {

// Non-overlapping occurrences, as the bytes stand, that are no part of a longer word, number or command: a letter of `part`
// at its edge touches no further letter, and a digit no further digit. "\in" is not in "\infty", nor "Ann" in "Annual".
// Empty part: 0.
int64_t count_whole(std::string_view text, std::string_view part);

}  // namespace craft
