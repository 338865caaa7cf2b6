// Treebank tokens as NLTK makes them: the words of `word_count_check` (docs/definitions.md, Tools).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// NLTK's NLTKWordTokenizer.tokenize on the whole string, as of 3.7-3.9.2: "don't" is two tokens, punctuation counts,
// straight double quotes become `` and ''. Any bytes; linear time.
std::vector<std::string> treebank_tokens(std::string_view text);
// treebank_tokens(text).size(), without making the strings.
int64_t count_treebank_tokens(std::string_view text);

}  // namespace craft
