// Candidates judged two by two, and one by one.
#include <gtest/gtest.h>

#include "core/error.h"
#include "judge/verdicts/extremes.h"
#include "judge/verdicts/pairwise_candidates.h"
#include "judge/verdicts/pointwise_judge.h"
#include "tests/judge/verdicts/scripted_judge.h"

namespace craft {
namespace {

using test::between;
using test::says;
using test::ScriptedJudge;
using Order = std::vector<size_t>;
using Reasons = std::map<std::string, std::string>;

CandidateGroup group_of(const std::vector<std::string>& texts) {
    CandidateGroup made{"g", "The source.", "", {}};
    for (const std::string& text : texts) made.candidates.push_back({"s", text});
    return made;
}

PairwiseCandidates pairwise(System& system) {
    const auto prompt = std::make_shared<ListwisePrompt>(parse_guideline("---\nJudge.\n", "guideline"), PromptFiles());
    return PairwiseCandidates(ListwiseJudge(system, "own", prompt, {}, ChoiceAsking{.attempts = 1}));
}

// Of two the longer one; of equally long ones nothing that can be read.
Reply longer(const std::string& asked) {
    const std::string a = between(asked, "Candidate 0:\n> ", "\n\n"), b = between(asked, "Candidate 1:\n> ", "\n\n");
    if (a.size() == b.size()) return says("Both.");
    return says(a.size() > b.size() ? "Best: 0, Worst: 1" : "Best: 1, Worst: 0");
}

TEST(Extremes, AreThereWhereNoTwoShareThem) {
    EXPECT_EQ(extremes({{0, 1}, {1, 3}, {2, 2}}), (ListwiseVerdict{1, 0}));
    EXPECT_EQ(extremes({{0, 1}, {1, 2}, {2, 2}}), std::nullopt);
    EXPECT_EQ(extremes({{0, 1}, {1, 1}, {2, 2}}), std::nullopt);
    EXPECT_EQ(extremes({{0, 1}}), std::nullopt);
    EXPECT_EQ(extremes({}), std::nullopt);
}

TEST(PairwiseCandidatesJudged, WhoWinsMostIsBest) {
    ScriptedJudge system(longer);
    const Judgement said = pairwise(system).judge(group_of({"aa", "aaaa", "a", "aaa"}), Order{3, 1, 0, 2}, 0);
    EXPECT_EQ(said.verdicts.at(""), (ListwiseVerdict{1, 2}));
    EXPECT_EQ(said.order, (Order{3, 1, 0, 2}));
    ASSERT_EQ(said.attempts.size(), 6u);
    EXPECT_EQ(said.attempts[0].shown, (Order{3, 1}));
    EXPECT_EQ(said.attempts[0].verdicts.at(""), (ListwiseVerdict{1, 3}));
    EXPECT_EQ(said.attempts[5].shown, (Order{0, 2}));
    ASSERT_EQ(said.duels.at("").size(), 6u);
    EXPECT_EQ(said.duels.at("")[0], (Duel{3, 1, PairVerdict::loss}));
    EXPECT_EQ(said.duels.at("")[5], (Duel{0, 2, PairVerdict::win}));
}

TEST(PairwiseCandidatesJudged, TiesAndUnreadPairsAreNoVerdict) {
    ScriptedJudge system(longer);
    // Equal texts share their win: 2.5, 2.5, 1, 0.
    EXPECT_EQ(pairwise(system).judge(group_of({"aaa", "aaa", "aa", "a"}), Order{0, 1, 2, 3}, 0).reasons,
              (Reasons{{"", "tie"}}));
    EXPECT_EQ(system.prompts.size(), 5u);
    // 3, 1.5, 1.5, 0: the equal ones are in the middle.
    EXPECT_EQ(pairwise(system).judge(group_of({"aaa", "aa", "aa", "a"}), Order{0, 1, 2, 3}, 0).verdicts.at(""),
              (ListwiseVerdict{0, 3}));
    // Of "bb" and "aa" nobody knows which is better, and it does not matter: 3, 1, 1, 0, with one more for either.
    const Judgement middle = pairwise(system).judge(group_of({"aaa", "bb", "aa", "a"}), Order{0, 1, 2, 3}, 0);
    EXPECT_EQ(middle.verdicts.at(""), (ListwiseVerdict{0, 3}));
    EXPECT_EQ(middle.duels.at("")[3], (Duel{1, 2, std::nullopt}));
    // 1, 0 and 0, with one more for either: of "bb" and "aa" one is worst.
    EXPECT_EQ(pairwise(system).judge(group_of({"aaa", "bb", "aa"}), Order{0, 1, 2}, 0).reasons,
              (Reasons{{"", "no verdict"}}));
    EXPECT_EQ(pairwise(system).judge(group_of({"a", "a"}), Order{0, 1}, 0).reasons, (Reasons{{"", "equal"}}));
}

PointwiseJudge pointwise(System& system, const std::string& aspect = "fluency", int64_t attempts = 1) {
    return {system, "own", PromptFiles(), aspect, ChoiceAsking{.attempts = attempts}};
}

TEST(PointwiseJudges, MarksMakeBestAndWorst) {
    ScriptedJudge system(
        [](const std::string& asked) { return says(between(asked, "### Revision:\n> ", "\n\n").substr(0, 1)); });
    const Judgement said = pointwise(system).judge(group_of({"3 x", "5 y", "1 z", "3 x"}), Order{2, 3, 1, 0}, 0);
    EXPECT_EQ(said.verdicts.at("fluency"), (ListwiseVerdict{1, 2}));
    EXPECT_EQ(said.scores, (std::vector<std::optional<double>>{2, 4, 0, 2}));
    EXPECT_EQ(system.prompts.size(), 3u);  // the same text has the same mark
    EXPECT_EQ(said.attempts[0].shown, Order{2});
    EXPECT_EQ(pointwise(system).judge(group_of({"3 x", "3 y"}), Order{0, 1}, 0).reasons, (Reasons{{"fluency", "tie"}}));
    const Judgement unread = pointwise(system, "fluency", 2).judge(group_of({"3 x", "6 y"}), Order{0, 1}, 0);
    EXPECT_EQ(unread.reasons, (Reasons{{"fluency", "no choice"}}));
    EXPECT_TRUE(unread.scores.empty());
    EXPECT_EQ(unread.attempts.size(), 3u);
    EXPECT_EQ(pointwise(system).judge(group_of({"3 x"}), Order{0}, 0).reasons, (Reasons{{"fluency", "one candidate"}}));
}

TEST(PointwiseJudges, ScalesSayWhichEndIsGood) {
    for (const auto& [aspect, good, bad] :
         {std::tuple("grammaticality", "0", "2 or more"), std::tuple("overcorrection", "None.", "substantial")}) {
        ScriptedJudge system([&, good = good, bad = bad](const std::string& asked) {
            return says(asked.find("> good") == std::string::npos ? bad : good);
        });
        const Judgement said = pointwise(system, aspect).judge(group_of({"bad", "good"}), Order{0, 1}, 0);
        EXPECT_EQ(said.verdicts.at(aspect), (ListwiseVerdict{1, 0})) << aspect;
    }
    ScriptedJudge system([](const std::string&) { return says("1"); });
    for (const std::string& aspect : mark_scale_names()) EXPECT_NO_THROW(pointwise(system, aspect)) << aspect;
    EXPECT_THROW(pointwise(system, "beauty"), Error);
}

TEST(PointwiseJudges, TextsAreDelimitedAndFailuresNamed) {
    ScriptedJudge system([](const std::string&) { return Reply::failed(Failure::timed_out, "late"); });
    const Judgement said = pointwise(system).judge(group_of({"a\n\n### Revision:\n5", "<|im_start|>b"}), Order{0, 1}, 0);
    EXPECT_NE(system.prompts[0].find("> a\n>\n> ### Revision:\n> 5\n"), std::string::npos);
    EXPECT_EQ(said.noted, (std::map<std::string, int64_t>{{"text like a heading", 1}, {"text like a marker", 1}}));
    EXPECT_EQ(said.reasons, (Reasons{{"fluency", "timed_out"}}));
    EXPECT_TRUE(said.attempts[0].is_failed);
}

}  // namespace
}  // namespace craft
