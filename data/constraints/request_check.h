// Whether a sentence of an instruction asks for something, in words that are all known.
#pragma once

#include <set>
#include <string>

#include "data/constraints/reading_vocabulary.h"

namespace craft {

// What a rewriting may say beside the words of the vocabulary: the words of the instruction that it is made of.
using OwnWords = std::set<std::string>;
OwnWords own_words_of(const std::string& instruction);

struct RequestContext {
    const OwnWords& own_words;
    bool has_targets = false;    // the sentence names a count, a keyword or sentences of the text
    bool is_introduced = false;  // a line such as "Requirements:" stands before
};

// A word that is neither in the vocabulary nor among the own words, so that nobody can tell what it makes of the others;
// empty if there is none. What sets no limit may be put into other words.
std::string unknown_word(const Items& sentence, const RequestContext& context);

// False if the sentence says how things are ("it has six sentences") or leaves a choice ("or"), or there is a mark between
// its words that may change their meaning.
bool is_request(const Items& sentence, const RequestContext& context);

// Whether it introduces what the next lines ask for: "Please observe these rules:".
bool introduces(const Items& sentence);

}  // namespace craft
