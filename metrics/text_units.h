// What metrics count in texts: sentences, and words between blanks.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "metrics/options.h"

namespace craft {

// Lines, or ICU's sentences; without white space at their ends, none of them empty.
std::vector<std::string_view> text_sentences(std::string_view text, SentenceUnit unit);

// Words with one blank between them, as tokenised() (metrics/words.h) makes them.
template <class OnToken>
void for_each_token(std::string_view tokens, OnToken on_token) {
    for (size_t begin = 0; begin < tokens.size();) {
        const size_t end = std::min(tokens.find(' ', begin), tokens.size());
        on_token(tokens.substr(begin, end - begin));
        begin = end + 1;
    }
}

}  // namespace craft
