#include "judge/verdicts/principles/principle.h"

namespace craft {

namespace {

struct PrincipleRow {
    Principle principle;
    int reward;
    const char* name;
    const char* words;
};

constexpr std::array<PrincipleRow, kPrinciples> kRows = {{
    {Principle::easier_for_hard, 2, "easier_for_hard", "a hard word became an easier one"},
    {Principle::easier_for_easy, 1, "easier_for_easy", "an easy word became one that is easier still"},
    {Principle::harder_word, -2, "harder_word", "a word became a harder one"},
    {Principle::meaning_changed, -2, "meaning_changed", "what is said was changed"},
    {Principle::hard_deleted, 1, "hard_deleted", "a hard word that matters little was left out"},
    {Principle::easy_deleted, -1, "easy_deleted", "an easy word was left out"},
    {Principle::important_deleted, -2, "important_deleted", "something important was left out"},
    {Principle::name_lost, -2, "name_lost", "a name was left out or altered"},
    {Principle::hard_kept, -1, "hard_kept", "a hard word stayed as it was"},
    {Principle::hard_added, -2, "hard_added", "a hard word was added"},
    {Principle::hard_simplified, 2, "hard_simplified", "a structure that was hard to follow became simple"},
    {Principle::simple_simpler, 1, "simple_simpler", "a simple structure became simpler still"},
    {Principle::structure_harder, -2, "structure_harder", "the structure became harder to follow"},
    {Principle::split, 2, "split", "a long sentence was split"},
    {Principle::reordered, 2, "reordered", "the order became clearer"},
    {Principle::useless_change, -1, "useless_change", "a change makes nothing simpler or clearer"},
    {Principle::hard_structure_kept, -2, "hard_structure_kept", "a structure that is hard to follow stayed"},
}};

const PrincipleRow& row_of(Principle principle) {
    return kRows[static_cast<size_t>(principle)];
}

}  // namespace

const std::array<Principle, kPrinciples>& all_principles() {
    static const auto all = [] {
        std::array<Principle, kPrinciples> list{};
        for (size_t i = 0; i < list.size(); ++i) list[i] = kRows[i].principle;
        return list;
    }();
    return all;
}

bool is_lexical(Principle principle) {
    return static_cast<int>(principle) < kLexicalPrinciples;
}

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
