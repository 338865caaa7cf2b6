// Words that may stand for a harder one, in the form that the sentence needs: "utilised" -> "used".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "english/dictionary/inflection.h"
#include "english/dictionary/synonyms.h"
#include "english/dictionary/word_difficulty.h"

namespace craft {

struct EasierWord {
    std::string lemma;
    std::string form;       // of the tag that was asked for
    double difficulty = 0;  // the lemma's
    size_t sense = 0;       // the meaning's place among the hard word's, the most used one first
    double share = 0;       // of the candidate's own uses, those in that meaning: 0-1
    bool is_wider = false;  // a hypernym: it says less than the hard word
};

struct EasierWordOptions {
    double margin = 0.1;      // a candidate is easier by at least this
    size_t senses = 3;        // only of this many meanings, the most used ones
    double sense_uses = 0.1;  // and only of meanings that are met this often, as a part of the most used one's uses
    double share = 0.1;       // candidates mean this in at least that part of their uses; else a reader takes them otherwise
    bool phrases = true;      // candidates of several words too ("set out")
    bool hypernyms = true;    // also those, of one word, after all others
};

// Candidates for a lemma of that kind in the form of `tag`, which must be of that kind: the synonyms of its most used
// meanings, by difficulty + 0.15 sense + 0.3 (1 - share) + 0.1 for phrases, the lowest first; then hypernyms likewise. A
// word occurs once, with its best place. A share is (uses in that meaning + 1) / (all uses + meanings), so that a word that
// was never met in tagged texts has one too. Left out: words with capitals, digits or other signs, other spellings of the
// lemma ("utilize"), verbs that the table of forms does not have ("straw"), pronouns ("someone"), and hypernyms that say
// nothing ("thing", "do"). None of a lemma that has no meaning. Whether one fits the sentence, and "a" or "an" before it, is
// the caller's matter. Throws Error on a tag of another kind.
std::vector<EasierWord> easier_words(const Synonyms& synonyms, const Inflections& inflections,
                                     const WordDifficulty& difficulty, std::string_view lemma, std::string_view tag,
                                     WordKind kind, const EasierWordOptions& options);

}  // namespace craft
