// Long sentences made into short ones by their parses, words left as they are: what the policy of overall rewriting asks
// for, by rules.
#pragma once

#include <string>

#include "english/token.h"

namespace craft {

struct SplittingOptions {
    size_t least_words = 3;    // of a sentence that is made
    size_t max_sentences = 5;  // out of one; 1: nothing is split
};

// What is split off, where the parse leaves no doubt and the rest stands by itself: coordinated clauses and predicates,
// halves at a semicolon; relative clauses after a comma, and those of "a house that ..." at a sentence's end; appositions;
// clauses with because, although, while, whereas, when, after, before and since; participles of the past in front of a
// sentence or between commas. Sentences with quotation marks, questions and exclamations are left, and what changes nothing
// gives the text's own bytes. `document` is the text's annotation.
std::string split_sentences_by_parse(const std::string& text, const EnglishDocument& document,
                                     const SplittingOptions& options = {});

}  // namespace craft
