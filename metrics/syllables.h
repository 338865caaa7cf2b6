// Syllables of English words by spelling, as EASSE 0.2.4 counts them (the rules go back to Greg Fast's
// Lingua::EN::Syllable).
#pragma once

#include <cstdint>
#include <string_view>

namespace craft {

// Groups of vowels, with corrections for endings and a list of exceptions; the word has no white space in it. A mark has
// none, and what is no English word may have a number below zero.
int64_t count_syllables(std::string_view word);

}  // namespace craft
