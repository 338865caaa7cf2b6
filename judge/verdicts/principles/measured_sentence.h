// A sentence, or the sentences that it was split into, with what the principles look at: words with their difficulty, and
// how hard the structure is to follow.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "english/token.h"

namespace craft {

// A word between blanks, as word alignments count them. Where the parser cut it further ("Vale's," to four tokens) it speaks
// for the part that carries meaning.
struct JudgedWord {
    std::string text;         // without punctuation around it, in lower case
    std::string lemma, pos;   // "" of a word without letters or digits
    double difficulty = 0;    // 0-1
    bool is_content = false;  // a noun, verb, adjective, adverb or number with a meaning of its own
    bool is_hard = false;     // names are never hard
    bool is_name = false;
    bool is_number = false;
    bool is_negation = false;
    bool is_important = false;  // something is no longer said without it: who does what in a main or adverbial clause
};

// How a sentence is built.
struct StructureFigures {
    int64_t words = 0;
    int64_t clauses = 0;  // subordinate ones, participles of their own included
    int64_t appositions = 0;
    int64_t passives = 0;
    int64_t interrupted = 0;  // subjects parted from their verbs by four words or more
    int64_t opening = 0;      // words before the main clause's subject
    int64_t before_verb = 0;  // words before the main verb
    int64_t depth = 0;        // of the tree of heads
    bool has_finite_verb = false;
    double hardness() const;  // 0 and more; from kHardStructure on it is hard to follow
};
inline constexpr double kHardStructure = 2;

struct MeasuredSentence {
    std::vector<JudgedWord> words;
    std::vector<StructureFigures> sentences;
    std::vector<std::string> shape;  // kinds of clauses and voices in their order, to see whether a structure changed
    double hardness() const;         // of the hardest sentence
    int64_t longest() const;         // words of the longest one
};

// The words are text/words.h's whitespace_words(). `difficulty` of a form, 0-1, or of its lemma where the form is not known:
// the smaller one is taken. `hard_from`: words from this difficulty on are hard.
MeasuredSentence measure_sentence(const std::string& text, const EnglishDocument& document,
                                  const std::function<double(std::string_view)>& difficulty, double hard_from);

}  // namespace craft
