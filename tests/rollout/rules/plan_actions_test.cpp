// Plan texts of models, and which sentence a plan line means.
#include "rollout/rules/plan_actions.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

using Kind = PlanAction::Kind;

Kind first(const std::string& plan) {
    return plan_actions(plan).at(0).kind;
}

TEST(PlanActions, UnderstandsTheVocabulary) {
    EXPECT_EQ(first("keep as it is"), Kind::keep);
    EXPECT_EQ(first("Leave this sentence unchanged."), Kind::keep);
    EXPECT_EQ(first("tighten the wording"), Kind::tighten);
    EXPECT_EQ(first("Simplify."), Kind::simplify);
    EXPECT_EQ(first("split in two"), Kind::split);
    EXPECT_EQ(first("Break it into two sentences"), Kind::split);
    EXPECT_EQ(first("join with the next sentence"), Kind::join);
    EXPECT_EQ(first("make it longer"), Kind::lengthen);
    EXPECT_EQ(first("rephrase it"), Kind::rephrase);
    EXPECT_EQ(first("leave it out"), Kind::omit);
    EXPECT_EQ(first("Delete the sentence."), Kind::omit);
    EXPECT_EQ(first("join with the sentence before"), Kind::joined);
    EXPECT_EQ(first("Delete this sentence."), Kind::omit);
    EXPECT_EQ(first("Omit needless words."), Kind::tighten);
    EXPECT_EQ(first("Do not change it."), Kind::keep);
    EXPECT_EQ(first(""), Kind::keep) << "nothing is asked";
    const auto cut = plan_actions("Cut it in two.");
    ASSERT_EQ(cut.size(), 1u) << "not shorter as well";
    EXPECT_EQ(cut[0].kind, Kind::split);
}

// What is read in part would be carried out in part, or as something else.
TEST(PlanActions, AreNoneWhereAWordIsNotKnown) {
    for (const char* plan :
         {"florbify the gnarl", "leave out the pronoun that repeats the subject, and the article",
          "repair the agreement of subject and verb and the participle", "Cut very.", "shorten the second clause",
          "say 'many' for 'a big number of', and use the simple past", "replace 'river' by 'stream'",
          "find 'very' and remove it", "Rephrase as 'She knows each of them.'", "do not split it, but shorten it",
          "make the next sentence longer", "split in 3", "k\u00fcrzen", "''"})
        EXPECT_TRUE(plan_actions(plan).empty()) << plan;
}

TEST(PlanActions, ReadsQuotedKeywords) {
    const auto replace = plan_actions("replace 'river'");
    EXPECT_EQ(replace.at(0).kind, Kind::replace);
    EXPECT_EQ(replace.at(0).keyword, "river");
    EXPECT_EQ(plan_actions("Drop \"don't\" here").at(0).keyword, "don't");
    EXPECT_EQ(plan_actions("bring up 'barn' once more").at(0).kind, Kind::mention);
    const auto both = plan_actions("replace 'river' and use 'stream'");
    ASSERT_EQ(both.size(), 2u);
    EXPECT_EQ(both[1].keyword, "stream");
    EXPECT_EQ(both[1].kind, Kind::mention);
    // What is quoted is not part of the instruction.
    const auto split = plan_actions("replace 'split'");
    ASSERT_EQ(split.size(), 1u);
    EXPECT_EQ(split[0].kind, Kind::replace);
}

TEST(PlanLines, MatchByPrefixInOrder) {
    const std::vector<std::string> sentences = {"We left early.", "It rained.", "We left late.", "It rained."};
    const std::vector<PlanLine> plan = {
        {"We left...", "a"}, {"It rained.", "b"}, {"We left late.", "c"}, {"It rained.", "d"}, {"Not there.", "e"}};
    EXPECT_EQ(match_plan(plan, sentences), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(match_plan({{"We left late...", "c"}}, sentences), (std::vector<int>{-1, -1, 0, -1}));
    EXPECT_EQ(match_plan({{"it rained", "badly copied"}}, sentences), (std::vector<int>{-1, 0, -1, -1}));
    EXPECT_EQ(match_plan({{"...", "nothing"}}, sentences), (std::vector<int>{-1, -1, -1, -1}));
}

}  // namespace
}  // namespace craft
