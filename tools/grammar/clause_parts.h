// Where clauses and their subjects begin, by tags alone: of a sentence with an error the tree is often wrong.
#pragma once

#include "english/parsed_sentence.h"

namespace craft {

// The first and the last token of a sentence.
struct SentenceEnds {
    size_t begin = 0, end = 0;
};
SentenceEnds sentence_around(const ParsedSentence& tree, size_t token);

bool is_noun_tag(const ParsedSentence& tree, size_t i);
bool is_in_noun_phrase(const ParsedSentence& tree, size_t i);  // articles, adjectives and numbers too
// At the sentence's beginning, or after a comma, a conjunction or a word that joins clauses.
bool begins_clause(const ParsedSentence& tree, size_t i);
// The first token of the clause's first noun phrase, which ends with `last`, an "of" or "on" and their like within it;
// size() where something else stands before it.
size_t begin_of_subject(const ParsedSentence& tree, size_t last);

}  // namespace craft
