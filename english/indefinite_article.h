// "a" or "an": by the sound that the next word begins with, as far as its letters tell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "english/token.h"

namespace craft {

// `next` is text as it was written, whose capitals tell "US" from "us"; its first word counts, after quotes, brackets and
// signs of currency. Words: "an hour", "a union"; letters that are read by their names: "an MRI", "a UK"; acronyms that are
// read as words: "a NATO"; numbers: "an 8-bit", "an 11th", "a 1,100".

// The article that goes before it; where writers differ, that which more of them take ("a historic", "an SQL").
std::string_view indefinite_article(std::string_view next);
// Whether a writer may put `article`, which is "a" or "an" in any case, before it. Both may stand before "historic", "herb",
// "SQL", and before what has no sound that is known, such as a mark by itself.
bool may_stand_before(std::string_view article, std::string_view next);
// `word` as it is, unless it is "a" or "an" and may not stand before `next`: then the other one, in the same case.
std::string article_before(const std::string& word, std::string_view next);

// Whether the token at `at`, which is "a" or "an" in any case, stands for itself and is no article: "an A-level", "the A
// train", "vitamin A in milk", "there is an a in it", "a is a number".
bool stands_for_itself(const EnglishDocument& tokens, size_t at);

}  // namespace craft
