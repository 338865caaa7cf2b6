// The principles by which simplified sentences are judged (policy simplification §2.2; share/guidelines/sentence.txt says
// them in words).
#pragma once

#include <string>
#include <vector>

namespace craft {

enum class Principle {
    // of words
    easier_for_hard,    // a hard word gave way to an easier one
    easier_for_easy,    // an easy word to one that is easier still
    harder_word,        // a word to a harder one
    meaning_changed,    // a word to one that says something else
    hard_deleted,       // a hard word that matters little is gone
    easy_deleted,       // an easy word is gone
    important_deleted,  // something important is gone
    name_lost,          // a name is gone or altered
    hard_kept,          // a hard word stayed
    hard_added,         // a hard word came in
    // of structure
    hard_simplified,  // a structure that was hard is simple
    simple_simpler,   // a simple one is simpler still
    structure_harder,
    split,           // a long sentence was divided
    reordered,       // the order is clearer
    useless_change,  // a change that makes nothing simpler or clearer
    hard_structure_kept,
};

int reward(Principle principle);                   // ++ 2, + 1, - -1, -- -2
std::string principle_name(Principle principle);   // "easier_for_hard"
std::string principle_words(Principle principle);  // "a hard word became easier"

// That a candidate meets one, and where.
struct PrincipleFinding {
    Principle principle = Principle::hard_kept;
    std::string from, to;  // words of the source and of the candidate; either may be empty
};
using PrincipleFindings = std::vector<PrincipleFinding>;

int total_reward(const PrincipleFindings& findings);

}  // namespace craft
