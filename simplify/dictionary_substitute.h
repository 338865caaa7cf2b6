// The easier words of a dictionary, for substitution (simplify/word_substitution.h).
#pragma once

#include <memory>

#include "dictionary/english_dictionary.h"
#include "simplify/word_substitution.h"

namespace craft {

struct DictionarySubstituteOptions {
    double hard_from = 0.2;  // words below this size class, divided by 100, are left: everybody knows them
    double margin = 0.1;     // size classes, divided by 100, that a substitute is easier by
    double fewer = 0.05;     // and as much by its count, so that the two sources agree
};

// The first of easier_words() that both sources call easier; of verbs without a particle's other half none of several words.
// Absent for words that are no noun, verb, adjective or adverb.
WordSubstitute dictionary_substitute(std::shared_ptr<const EnglishDictionary> dictionary,
                                     const DictionarySubstituteOptions& options = {});

}  // namespace craft
