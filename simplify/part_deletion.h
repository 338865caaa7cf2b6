// Parts left out that a sentence can do without, by its parse: a habit of simplifiers which guidelines reward for what does
// not matter and punish for what does.
#pragma once

#include <string>

#include "english/token.h"

namespace craft {

struct DeletionOptions {
    size_t max_parts = 4;    // left out of one sentence
    size_t least_words = 5;  // that must be left of it
    size_t longest = 14;     // words of a part
};

// What goes, where it has neither a name nor a number: appositions between commas, parentheses, adverbs of manner and
// degree, adverbs that join a sentence to another one, and phrases with a preposition that stand before the sentence,
// between commas, or at its end and tell of a time. Where nothing goes the text's own bytes are given back. `document` is
// its annotation.
std::string delete_parts(const std::string& text, const EnglishDocument& document, const DeletionOptions& options = {});

}  // namespace craft
