#include "judge/verdicts/pairwise_figures.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

PairQuestion asked(bool a_first, std::optional<size_t> choice) {
    PairQuestion question{a_first, {}};
    question.answer.choice = choice;
    question.answer.attempts.push_back({"", {choice, choice ? "" : "no choice", {}}});
    return question;
}

PairJudgement verdict(std::optional<PairVerdict> of, std::vector<PairQuestion> questions) {
    return {of, std::move(questions)};
}

// Six wins, one loss, one tie by equal texts, one unread.
PairwiseTotals example(bool backwards = false) {
    std::vector<std::pair<std::string, PairJudgement>> all;
    for (int i = 0; i < 6; ++i)  // A stands first in four of them
        all.emplace_back("w" + std::to_string(i), verdict(PairVerdict::win, {asked(i < 4, i < 4 ? 0 : 1)}));
    all.emplace_back("loss", verdict(PairVerdict::loss, {asked(true, 1)}));
    all.emplace_back("same", verdict(PairVerdict::tie, {}));
    all.emplace_back("none", verdict(std::nullopt, {asked(true, std::nullopt)}));
    if (backwards) std::reverse(all.begin(), all.end());
    PairwiseTotals totals;
    for (const auto& [id, judgement] : all) totals.add(id, "fluency", judgement);
    return totals;
}

TEST(PairwiseFigures, CountAndTest) {
    const PairwiseFigures f = example().figures({}).at("fluency");
    EXPECT_EQ(f.wins, 6);
    EXPECT_EQ(f.ties, 1);
    EXPECT_EQ(f.losses, 1);
    EXPECT_EQ(f.equal, 1);
    EXPECT_EQ(f.unjudged, 1);
    EXPECT_DOUBLE_EQ(*f.win_share, 6.5 / 8);
    EXPECT_NEAR(f.p, 8.0 / 128, 1e-12);  // P(Binomial(7, 1/2) >= 6) = (7 + 1) / 128
    EXPECT_NEAR(f.p_two_sided, 16.0 / 128, 1e-12);
    EXPECT_FALSE(f.p_holm);
    // Four of the wins and no loss chose what stood first; two wins and the loss the second.
    EXPECT_EQ(f.chose_first, 4);
    EXPECT_EQ(f.chose_second, 3);
    EXPECT_DOUBLE_EQ(*f.first_share, 4.0 / 7);
    EXPECT_NEAR(f.first_p, 1, 1e-12);  // 2 P(Binomial(7, 1/2) >= 4) = 1
    ASSERT_TRUE(f.resampled);
    EXPECT_EQ(f.resampled->resamples, 100);
    EXPECT_DOUBLE_EQ(f.resampled->difference, 6.5 / 8 - 1.5 / 8);
    EXPECT_EQ(f.counts.questions, 8);
    EXPECT_EQ(f.counts.unread, 1);
}

TEST(PairwiseFigures, DoNotDependOnTheOrderOfItems) {
    const PairwiseTotals forth = example(), back = example(true);
    EXPECT_EQ(to_json(forth.figures({.seed = 3}).at("fluency")), to_json(back.figures({.seed = 3}).at("fluency")));
    EXPECT_EQ(forth.items(), back.items());
    EXPECT_EQ(forth.items()[0], Json::parse(R"({"id":"loss","fluency":0.0})"));
    EXPECT_EQ(forth.items()[1], Json::parse(R"({"id":"none","fluency":null})"));
    EXPECT_EQ(forth.items()[2], Json::parse(R"({"id":"same","fluency":0.5})"));
    EXPECT_EQ(forth.counts().questions, 8);
    EXPECT_EQ(forth.counts().unread, 1);
}

TEST(PairwiseFigures, SeveralCriteriaAreCorrected) {
    PairwiseTotals totals = example();
    for (int i = 0; i < 3; ++i)
        totals.add("w" + std::to_string(i), "coherence", verdict(PairVerdict::win, {asked(true, 0)}));
    const auto figures = totals.figures({});
    EXPECT_NEAR(figures.at("coherence").p, 1.0 / 8, 1e-12);
    EXPECT_NEAR(*figures.at("fluency").p_holm, 2 * 8.0 / 128, 1e-12);
    EXPECT_NEAR(*figures.at("coherence").p_holm, 1.0 / 8, 1e-12);
}

TEST(PairwiseFigures, WithoutVerdictsThereIsNone) {
    PairwiseTotals totals;
    totals.add("x", "fluency", verdict(std::nullopt, {asked(true, std::nullopt)}));
    const Json json = to_json(totals.figures({}).at("fluency"));
    EXPECT_TRUE(json["win_share"].is_null());
    EXPECT_TRUE(json["resampled"].is_null());
    EXPECT_TRUE(json["first"]["share"].is_null());
    EXPECT_EQ(json["p"], 1);
    EXPECT_EQ(json["n"], 0);
    EXPECT_THROW(totals.add("x", "fluency", verdict(PairVerdict::tie, {})), std::exception);
}

}  // namespace
}  // namespace craft
