// Treebank tokens as NLTK makes them: the words of `word_count_check` (docs/definitions.md, Tools).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

enum class NltkRelease {
    v3_7,   // 3.7-3.9.2
    v3_10,  // 3.10.4: an apostrophe before a word is a token ("'no", "'tis", not "'s"), and so are the dashes U+2012-U+2015
};

// NLTK's NLTKWordTokenizer.tokenize on the whole string: "don't" is two tokens, punctuation counts, straight double quotes
// become `` and ''. Any bytes; linear time.
std::vector<std::string> treebank_tokens(std::string_view text, NltkRelease release = NltkRelease::v3_7);
// treebank_tokens(text).size() of 3.7, without making the strings.
int64_t count_treebank_tokens(std::string_view text);

}  // namespace craft
