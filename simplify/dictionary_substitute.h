// Easier words of the dictionary for hard ones: what the rules of lexical paraphrasing put in.
#pragma once

#include <memory>

#include "english/dictionary/english_dictionary.h"
#include "english/dictionary/plain_words.h"
#include "simplify/word_substitution.h"

namespace craft {

struct SubstituteOptions {
    double hard =
        0.5;  // words are replaced that are at least so hard by their counts (english/dictionary/word_difficulty.h)
    // A phrase ("find out") means this in at least that part of its uses: phrasal verbs have many meanings.
    double phrase_share = 0.6;
    double easy = 0.55;  // and nothing harder than this takes their place
    // Which candidates may stand for them. Meanings are not told apart, so that only the most used one of a word counts, and
    // words that mean it in a good part of their own uses.
    EasierWordOptions words = {.margin = 0.12, .senses = 1, .share = 0.45, .hypernyms = false};
};

// What `plain` has for the word, where it is given and does; else, of a hard word, the first candidate of the dictionary,
// phrases for verbs alone. Neither may stand beside the word already. What is given back may be called by several threads at
// once. Throws Error as synonyms, forms and counts of the dictionary do.
WordSubstitute dictionary_substitute(std::shared_ptr<const EnglishDictionary> dictionary,
                                     std::shared_ptr<const PlainWords> plain = nullptr,
                                     const SubstituteOptions& options = {});

}  // namespace craft
