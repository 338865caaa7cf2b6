// Texts as the words that metrics compare: sacreBLEU 2.6.0's tokenisers `13a`, `intl` and none, and NLTK's.
#pragma once

#include <string>
#include <string_view>

#include "metrics/options.h"

namespace craft {

// The words of a text with one blank between them; no word has white space in it. With `lower` the text is lowercased first,
// as Python's str.lower() does it. Any bytes; linear time.
std::string tokenised(std::string_view text, WordTokenizer tokenizer, bool lower);

// What `13a` does to a line after the unescaping: marks are set apart, full stops and commas where no digit stands on both
// sides, a hyphen after a digit. NLTK's NISTTokenizer, which EASSE's proportions of words go through, does the same.
std::string mteval_words(std::string_view line);

}  // namespace craft
