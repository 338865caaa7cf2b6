#include "judge/verdicts/principles/principle.h"

namespace craft {

namespace {

struct PrincipleRow {
    int reward;
    const char* name;
    const char* words;
};

// In the order of Principle.
constexpr PrincipleRow kRows[] = {
    {2, "easier_for_hard", "a hard word became an easier one"},
    {1, "easier_for_easy", "an easy word became one that is easier still"},
    {-2, "harder_word", "a word became a harder one"},
    {-2, "meaning_changed", "what is said was changed"},
    {1, "hard_deleted", "a hard word that matters little was left out"},
    {-1, "easy_deleted", "an easy word was left out"},
    {-2, "important_deleted", "something important was left out"},
    {-2, "name_lost", "a name was left out or altered"},
    {-1, "hard_kept", "a hard word stayed as it was"},
    {-2, "hard_added", "a hard word was added"},
    {2, "hard_simplified", "a structure that was hard to follow became simple"},
    {1, "simple_simpler", "a simple structure became simpler still"},
    {-2, "structure_harder", "the structure became harder to follow"},
    {2, "split", "a long sentence was split"},
    {2, "reordered", "the order became clearer"},
    {-1, "useless_change", "a change makes nothing simpler or clearer"},
    {-2, "hard_structure_kept", "a structure that is hard to follow stayed"},
};

const PrincipleRow& row_of(Principle principle) {
    return kRows[static_cast<size_t>(principle)];
}

}  // namespace

int reward(Principle principle) {
    return row_of(principle).reward;
}

std::string principle_name(Principle principle) {
    return row_of(principle).name;
}

std::string principle_words(Principle principle) {
    return row_of(principle).words;
}

int total_reward(const PrincipleFindings& findings) {
    int sum = 0;
    for (const PrincipleFinding& one : findings) sum += reward(one.principle);
    return sum;
}

}  // namespace craft
