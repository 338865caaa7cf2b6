// What spaCy's models see of a word: its norm, first and last characters and shape, as numbers.
// Reference: spaCy 3.8, lexical attributes of the language "en".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "english/msgpack.h"

namespace craft {

struct Lexeme {
    std::string lower;      // str.lower()
    std::string norm;       // lower, or what the tables have for the word: "because" for "cuz", "$" for "€"
    bool is_space = false;  // str.isspace()
    // string_id() of each.
    uint64_t norm_id = 0;
    uint64_t prefix_id = 0;  // the first character
    uint64_t suffix_id = 0;  // the last three
    uint64_t shape_id = 0;   // of word_shape()
};

// "Xxxx" for "Apple", "dd.d" for "12.5": kinds of characters, at most four of one kind in a row; "LONG" from 100 characters
// on.
std::string word_shape(std::string_view text);

class Lexicon {
public:
    // Of the package's file `vocab/lookups.bin`. Throws Error naming `where` if there is no table `lexeme_norm` of texts.
    Lexicon(const MsgpackValue& lookups, const std::string& where);

    // `text` is UTF-8 and not empty; `norm`, where not empty, replaces the word's own.
    Lexeme lexeme(std::string_view text, std::string_view norm = {}) const;

private:
    std::unordered_map<uint64_t, std::string> norms_;  // by string_id
};

}  // namespace craft
