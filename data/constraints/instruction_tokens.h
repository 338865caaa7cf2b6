// An instruction in words, numbers and quotations.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

struct Token {
    enum class Kind {
        word,     // in small letters, apostrophes straight; "word-for-word" is three
        number,   // a count in digits or words, the longest reading first: "one hundred and five" is one token
        ordinal,  // "3rd", "third"
        quote,    // what is between quotation marks, as it is written
        mark,     // any other character
        line,     // a line break, or several
    };
    Kind kind = Kind::word;
    std::string text;   // of a number: as it is written
    int64_t value = 0;  // of a number or ordinal
};

// "twice" is the number 2 and the word "times"; "3-5" and "3x" have a mark and the word "x" after the 3.
std::vector<Token> instruction_tokens(std::string_view text);

// Counts and ordinals alike: "one hundred and five" is 105 and holds no 5.
std::set<int64_t> numbers_in(std::string_view text);
// What is between quotation marks of any kind, without the punctuation before the closing one; apostrophes are none.
std::set<std::string> quoted_in(std::string_view text);

}  // namespace craft
