#include "gec/rules/edit_planners.h"

#include <gtest/gtest.h>

#include "tests/gec/rules/rules_language.h"

namespace craft {
namespace {

TEST(RuleEditPlanner, GivesEachEditItsRulesReason) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const auto planner = std::make_shared<const CorrectionPlanner>(test::rules_english(), test::rules_language(),
                                                                   CorrectionThresholds::shipped(), nullptr);
    const auto edits = rule_edit_planner(planner)("Then i saw a apple and alot of of pears.", "");
    ASSERT_EQ(edits.size(), 4U);
    EXPECT_EQ(edits.back().edit.sentence, "Then I saw an apple and a lot of pears.");
    EXPECT_EQ(edits[0].why, "'I' has a capital");
    EXPECT_FALSE(edits[0].is_spelling);
    EXPECT_TRUE(edits[2].is_spelling) << edits[2].edit.sentence << ": " << edits[2].why;
}

TEST(GoldEditPlanner, LeadsToGoldWithReasons) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const EditPlanner plan = gold_edit_planner({{"He have many book about whale.", "He has many books about blue whales."}},
                                               test::rules_english(), test::rules_language());
    const auto edits = plan("He have many book about whale.", "");
    ASSERT_FALSE(edits.empty());
    EXPECT_EQ(edits.back().edit.sentence, "He has many books about blue whales.");
    EXPECT_EQ(edits[0].why, "the subject is 'He'");
    for (const ReasonedEdit& edit : edits) EXPECT_NE(edit.why, "");
    EXPECT_TRUE(plan("Another sentence.", "").empty());
}

TEST(GoldEditPlanner, MakesMistakesAndWithdrawsThem) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const std::string source = "He have two dog in a house.", target = "He has two dogs in a house.";
    const EditPlanner plan =
        gold_edit_planner({{source, target}}, test::rules_english(), test::rules_language(), {.mistakes = 1});
    const auto edits = plan(source, "");
    ASSERT_EQ(edits.size(), 4U);
    EXPECT_NE(edits[0].edit.sentence, source);
    EXPECT_EQ(edits[1].edit.action, "withdraw");
    EXPECT_EQ(edits[1].edit.sentence, source);
    EXPECT_EQ(edits[2].edit.sentence, "He has two dog in a house.");
    EXPECT_EQ(edits[3].edit.sentence, target);
}

TEST(GoldEditPlanner, MakesOnlyWhatWasObserved) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const std::string source = "He have dog and many book about whale in home.",
                      target = "He has a dog and many books about blue whales at home.";
    const EditPlanner plan =
        gold_edit_planner({{source, target}}, test::rules_english(), test::rules_language(), {.observed_only = true});
    const auto edits =
        plan(source,
             "substituted \"have\" (word 2): 'have' does not agree with 'He'; suggestions: had, has\n"
             "missing before \"dog\" (word 3): 'dog' can be counted and needs an article; suggestions: the, a\n"
             "substituted \"book\" (word 6): 'many' is followed by a plural; suggestions: books\n"
             "substituted \"whale\" (word 8): in another form the sentence can be parsed; suggestions: whales\n"
             "redundant \"in\" (word 9): it is too much");
    ASSERT_EQ(edits.size(), 3U);
    EXPECT_EQ(edits[0].edit.input, Json({{"from", "have"}, {"to", "has"}}));
    EXPECT_EQ(edits[0].why, "'have' does not agree with 'He'");
    EXPECT_EQ(edits[1].edit.input, Json({{"before", "dog"}, {"text", "a"}}));
    EXPECT_EQ(edits[2].edit.sentence, "He has a dog and many books about whale in home.");
    EXPECT_TRUE(plan(source, "").empty()) << "nothing was observed";
}

}  // namespace
}  // namespace craft
