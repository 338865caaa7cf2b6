// Which words of a text can be keywords.
#pragma once

#include <string>
#include <vector>

namespace craft {

// The words made of letters, of any script, and inner hyphens, 3 to 24 of them, among what white space and East Asian
// punctuation part; without the punctuation around them.
std::vector<std::string> plain_words(const std::string& text);

// Whether the keyword contains one of the others, or one of them contains it: tools count substrings, so that
// "keep 'party'" and "remove 'art'" contradict.
bool clashes(const std::string& keyword, const std::vector<std::string>& others);

}  // namespace craft
