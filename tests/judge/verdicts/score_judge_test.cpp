#include "judge/verdicts/score_judge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using GivenScores = std::vector<std::optional<double>>;

CandidateGroup scored_group(size_t candidates) {
    CandidateGroup group{"g", "Source.", "", {}};
    for (size_t i = 0; i < candidates; ++i)
        group.candidates.push_back({.system = "s" + std::to_string(i), .text = "Text " + std::to_string(i) + "."});
    return group;
}

Judgement scored(const CandidateGroup& group, const GivenScores& scores, const std::vector<std::string>& aspects = {}) {
    return ScoreJudge("scores:x", aspects, [&](const CandidateGroup&) { return scores; }).judge(group, {}, 0);
}

// "2>0", or why there is no verdict.
std::string score_verdict(const CandidateGroup& group, const GivenScores& scores) {
    const Judgement judgement = scored(group, scores);
    if (judgement.verdicts.empty()) return judgement.reasons.at("");
    EXPECT_TRUE(judgement.reasons.empty());
    const ListwiseVerdict verdict = judgement.verdicts.at("");
    return std::to_string(verdict.best) + ">" + std::to_string(verdict.worst);
}

TEST(ScoreJudge, TheHighestIsBestAndTheLowestWorst) {
    EXPECT_EQ(score_verdict(scored_group(3), {2, 7, -1}), "1>2");
    EXPECT_EQ(score_verdict(scored_group(2), {-5, -4}), "1>0");
}

TEST(ScoreJudge, AmongEqualsTheFirstAndOfAllNone) {
    EXPECT_EQ(score_verdict(scored_group(4), {1, 3, 3, 1}), "1>0");
    EXPECT_EQ(score_verdict(scored_group(3), {.3, .1 + .2, 0}), "0>2") << "rounding is no difference";
    EXPECT_EQ(score_verdict(scored_group(3), {4, 4, 4}), "tie");
    EXPECT_EQ(score_verdict(scored_group(2), {4, 4 + 1e-10}), "tie");
    EXPECT_EQ(score_verdict(scored_group(2), {4, 4 + 1e-8}), "1>0");
}

TEST(ScoreJudge, WhatCanBeNoSideIsLeftOut) {
    CandidateGroup group = scored_group(4);
    group.candidates[1].is_cut = true;
    group.candidates[3].text = " \n";
    EXPECT_EQ(score_verdict(group, {2, 9, 1, std::nullopt}), "0>2");
    group.candidates[0].text = "";
    EXPECT_EQ(score_verdict(group, {2, 9, 1, 0}), "too few candidates");
    EXPECT_EQ(score_verdict(scored_group(1), {1}), "too few candidates");
    EXPECT_EQ(score_verdict(scored_group(0), {}), "too few candidates");
}

TEST(ScoreJudge, AMissingScoreIsNoVerdict) {
    EXPECT_EQ(score_verdict(scored_group(3), {1, std::nullopt, 2}), "no score");
    EXPECT_EQ(score_verdict(scored_group(3), {1, std::nan(""), 2}), "no score");
    EXPECT_EQ(score_verdict(scored_group(3), {1, INFINITY, 2}), "no score");
}

TEST(ScoreJudge, SaysTheSameOfEachAspectAndKeepsTheScores) {
    const Judgement judgement = scored(scored_group(2), {1, 2}, {"Lexical", "Overall"});
    const std::map<std::string, ListwiseVerdict> both = {{"Lexical", {1, 0}}, {"Overall", {1, 0}}};
    EXPECT_EQ(judgement.verdicts, both);
    EXPECT_EQ(judgement.scores, (GivenScores{1, 2}));
    EXPECT_EQ(judgement.judge, "scores:x");
    EXPECT_EQ(score_gap(judgement, {1, 0}), 1);
    EXPECT_EQ(score_gap({}, {1, 0}), std::nullopt);
    const Judgement tied = scored(scored_group(2), {1, 1}, {"Lexical", "Overall"});
    EXPECT_EQ(tied.reasons, (std::map<std::string, std::string>{{"Lexical", "tie"}, {"Overall", "tie"}}));
    const ScoreJudge judge("j", {}, [](const CandidateGroup&) { return GivenScores{0, 1}; });
    const Judgement again = judge.judge(scored_group(2), {1, 0}, 3);
    EXPECT_EQ(again.order, (std::vector<size_t>{1, 0}));
    EXPECT_EQ(again.repeat, 3u);
    EXPECT_EQ(again.verdicts.at(""), (ListwiseVerdict{1, 0})) << "numbers of candidates, whatever the order";
}

TEST(ScoreJudge, AnotherNumberOfScoresIsAnError) {
    EXPECT_EQ(message_of([] { scored(scored_group(3), {1, 2}); }), "scores:x: candidates of 'g': expected 3 scores, got 2");
}

TEST(ScoreJudge, NumbersThatCameWithTheCandidates) {
    CandidateGroup group = scored_group(3);
    group.candidates[0].scores = {{"lens", 40}, {"length", 3}};
    group.candidates[2].scores = {{"lens", 60}};
    EXPECT_EQ(given_scores("lens")(group), (GivenScores{40, std::nullopt, 60}));
    EXPECT_EQ(given_scores("lens", true)(group), (GivenScores{-40, std::nullopt, -60}));
    EXPECT_EQ(message_of([&] { given_scores("lense")(group); }),
              "candidates of 'g': expected a number 'lense' among their scores, got none (candidates carry them as "
              "\"scores\":{NAME:NUMBER})");
}

}  // namespace
}  // namespace craft
