// Treebank tokens as NLTK makes them: the words of `word_count_check` (docs/definitions.md, Tools).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// Whose tokens: 3.10 (of 3.10.4) also sets apart the dashes U+2012 to U+2015, and an apostrophe before any word.
enum class NltkRelease { v3_7, v3_10 };

// NLTK's NLTKWordTokenizer.tokenize on the whole string, as of 3.7-3.9.2 unless told otherwise: "don't" is two tokens,
// punctuation counts, straight double quotes become `` and ''. Any bytes; linear time.
std::vector<std::string> treebank_tokens(std::string_view text, NltkRelease release = NltkRelease::v3_7);
// treebank_tokens(text).size(), without making the strings.
int64_t count_treebank_tokens(std::string_view text);

}  // namespace craft
