// What a revision changed, word by word.
#pragma once

#include <string>

#include "view/page.h"

namespace craft {

// The words of both texts in order: plain where they stay, removed and added where they do not. Blanks and line breaks
// belong to the words before them, and differ in nobody's sight: the revision's are shown. Texts of more than kMaxDiffWords
// words, or that are alike in too many ways to be compared in a second, are shown one behind the other.
constexpr size_t kMaxDiffWords = 20000;
StyledText word_diff(const std::string& before, const std::string& after);

}  // namespace craft
