// MacIntyre's contractions in Treebank tokens: "cannot" is two, "'tis" is two (NLTK's CONTRACTIONS2 and 3).
#pragma once

#include <string>

namespace craft {

// Sets blanks around both halves of every contraction, in one linear pass (three where the text has an apostrophe).
void split_contractions(std::u32string& text, bool has_apostrophe);

// The way back, as NLTK's detokenizer goes it: the white space within a contraction is left out ("can not" becomes
// "cannot"), and the blank before "'t is" too.
void join_contractions(std::u32string& text);

// Python's case-insensitive form of the letters that NLTK's patterns use: A-Z, two more forms of i and one of s.
char32_t fold_letter(char32_t c);

}  // namespace craft
