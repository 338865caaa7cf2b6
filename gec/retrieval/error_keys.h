// How the same error is found in another sentence: the wrong words with their neighbours, as runs of compared words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace craft {

// Of the source sentence cut into what comes before the wrong words, these, and what comes after. With words that are
// wrong: with both neighbours, with either one; and alone where no sentence should have them (`wrong_anywhere`: a misspelt
// word). Of an insertion, where none are: both neighbours. A key is its words with blanks between them.
std::vector<std::string> error_keys(std::string_view before, std::string_view from, std::string_view behind,
                                    bool wrong_anywhere);

// All keys that an error in this sentence might have, longest first: runs of four to one words.
std::vector<std::string> possible_error_keys(std::string_view sentence);

}  // namespace craft
