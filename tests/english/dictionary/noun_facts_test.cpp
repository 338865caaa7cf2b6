#include "english/dictionary/noun_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "english/constituents.h"
#include "tests/core/temporary_folder.h"
#include "tests/english/dictionary/installed.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(NounFacts, ReadLinkGrammarsLists) {
    EXPECT_THAT(link_grammar_words("car.n balance.s\nbus.n-u\na_la_carte.n New_York.l x2.n dog"),
                UnorderedElementsAre("car", "balance", "bus", "dog"));
    EXPECT_TRUE(link_grammar_words("").empty());
}

// "idea", "shade" and "advice" stand in the shipped lists, the others in none of them.
TEST(NounFacts, AreWhatAllListsSayTogether) {
    const TemporaryFolder folder;
    const auto put = [&](const char* name, const std::string& text) { write_file_atomic(folder.path() / name, text); };
    put("words.n.1-const", "bolt.n vent.n boldness.n advice.n shade.n\n");
    put("words.n.1-vowel", "egg.n\n");
    put("words.n.t", "nurse.n\n");
    put("words.n.3-const", "vent.n idea.n\n");
    put("words.n.3-vowel", "");
    put("words.n.3.y", "");
    put("words.n.1.gerund", "");
    const NounFacts facts = NounFacts::load(folder.path());
    const std::pair<const char*, Countability> of[] = {
        {"bolt", Countability::counted}, {"egg", Countability::counted},    {"nurse", Countability::counted},
        {"idea", Countability::counted}, {"vent", Countability::either},    {"boldness", Countability::either},
        {"shade", Countability::either}, {"education", Countability::mass}, {"advice", Countability::uncountable},
        {"", Countability::unknown},     {"Bolt", Countability::unknown},   {"zyx", Countability::unknown}};
    for (const auto& [noun, countability] : of) EXPECT_EQ(facts.countability(noun), countability) << noun;
    EXPECT_TRUE(facts.is_counted("bolt"));
    EXPECT_FALSE(facts.is_counted("vent"));
    EXPECT_THAT(message_of([&] { NounFacts::load(folder.path() / "none"); }), HasSubstr("words.n.1-const"));
}

TEST(NounFacts, OfTheInstalledListsAreTheUsualOnes) {
    CRAFT_NEEDS(link_grammar_dictionary_file());
    const NounFacts facts = NounFacts::installed();
    for (const char* noun : {"car", "nurse", "idea", "kitchen", "station", "decision"})
        EXPECT_TRUE(facts.is_counted(noun)) << noun;
    for (const char* noun : {"water", "advice", "information", "happiness", "dinner", "courage"})
        EXPECT_FALSE(facts.is_counted(noun)) << noun;
}

// A noun of one kind stands in no list of another kind, where the order of the lists would hide it.
TEST(NounFacts, StandInOneListEach) {
    const char* const lists[] = {"uncountable_nouns", "mass_nouns", "bare_nouns", "count_nouns"};
    for (const char* const one : lists) {
        for (const char* const other : lists) {
            if (one == other) continue;
            for (const std::string& noun : listed_words(one))
                EXPECT_FALSE(listed_words(other).contains(noun)) << noun << ": " << one << ", " << other;
        }
    }
}

TEST(NounFacts, TellWhichNounsTakeEitherNumber) {
    for (const char* noun : {"team", "jury", "board", "press", "majority", "series"})
        EXPECT_TRUE(has_either_number(noun)) << noun;
    for (const char* noun : {"car", "advice", ""}) EXPECT_FALSE(has_either_number(noun)) << noun;
    EXPECT_TRUE(is_mass("advice") && is_mass("water") && is_uncountable("advice"));
    EXPECT_FALSE(is_uncountable("water") || is_mass("car"));
}

TEST(NounFacts, KnowPluralsThatAreNone) {
    const std::pair<const char*, const char*> of[] = {
        {"information", "informations"}, {"progress", "progresses"}, {"scenery", "sceneries"},
        {"children", "childrens"},       {"feet", "foots"},          {"people", "peoples"}};
    for (const auto& [right, wrong] : of) {
        EXPECT_EQ(right_for_wrong_plural(wrong), right) << wrong;
        EXPECT_EQ(wrong_plural_of(right), wrong) << right;
    }
    for (const char* word : {"cars", "waters", "children", ""})
        EXPECT_EQ(right_for_wrong_plural(word), std::nullopt) << word;
    EXPECT_EQ(wrong_plural_of("car"), std::nullopt);
}

}  // namespace
}  // namespace craft
