#include "judge/verdicts/pairwise_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/judge/verdicts/scripted_judge.h"

namespace craft {
namespace {

using test::between;
using test::says;
using test::ScriptedJudge;

// Prefers the shorter candidate, whichever stands first.
Reply shorter(const std::string& prompt) {
    const std::string a = between(prompt, "### Candidate A:\n", "\n\n###"),
                      b = between(prompt, "### Candidate B:\n", "\n\nWhich");
    return says(a.size() < b.size() ? "A" : "B");
}

PairJudgement judged(System& system, const PairwiseItem& item, PairOrders orders, uint64_t seed = 1) {
    return PairwiseJudge(system, PromptFiles(), "fluency", {.orders = orders, .seed = seed}).judge(item);
}

TEST(PairwiseJudges, FindTheBetterTextWhereverItStands) {
    for (uint64_t seed = 0; seed < 8; ++seed) {
        ScriptedJudge judge(shorter);
        EXPECT_EQ(judged(judge, {"x", "source", "short", "longer"}, PairOrders::random, seed).verdict, PairVerdict::win);
        EXPECT_EQ(judged(judge, {"x", "source", "longer", "short"}, PairOrders::random, seed).verdict, PairVerdict::loss);
    }
}

TEST(PairwiseJudges, DrawTheOrderBySeedItemAndCriterion) {
    ScriptedJudge judge(shorter);
    const auto first_of = [&](const std::string& id, const std::string& criterion, uint64_t seed) {
        const PairwiseJudge one(judge, PromptFiles(), criterion, {.seed = seed});
        return one.judge({id, "s", "short", "longer"}).questions.at(0).a_first;
    };
    int first = 0, by_criterion = 0, by_seed = 0;
    for (int i = 0; i < 400; ++i) {
        const std::string id = std::to_string(i);
        const bool drawn = first_of(id, "fluency", 1);
        EXPECT_EQ(drawn, first_of(id, "fluency", 1));
        first += drawn ? 1 : 0;
        by_criterion += drawn != first_of(id, "coherence", 1) ? 1 : 0;
        by_seed += drawn != first_of(id, "fluency", 2) ? 1 : 0;
    }
    for (const int count : {first, by_criterion, by_seed}) {  // 200 expected, standard deviation 10
        EXPECT_GT(count, 150);
        EXPECT_LT(count, 250);
    }
}

TEST(PairwiseJudges, OfBothOrdersThoseThatContradictAreTies) {
    ScriptedJudge fair(shorter), biased([](const std::string&) { return says("A"); });
    const PairwiseItem item = {"x", "s", "short", "longer"};
    EXPECT_EQ(judged(fair, item, PairOrders::both).verdict, PairVerdict::win);
    EXPECT_EQ(fair.prompts.size(), 2u);
    EXPECT_NE(fair.keys[0], fair.keys[1]);
    const PairJudgement tie = judged(biased, item, PairOrders::both);
    EXPECT_EQ(tie.verdict, PairVerdict::tie);
    EXPECT_EQ(tie.questions[0].chose_first(), true);
    EXPECT_EQ(tie.questions[1].chose_first(), true);
    EXPECT_EQ(judged(biased, item, PairOrders::fixed).verdict, PairVerdict::win);

    int asked = 0;
    ScriptedJudge half([&](const std::string&) { return says(asked++ == 0 ? "B" : "Well"); });
    EXPECT_EQ(judged(half, item, PairOrders::both).verdict, std::nullopt) << "one order alone is no verdict";
}

TEST(PairwiseJudges, EqualTextsAreNotAskedAbout) {
    ScriptedJudge judge(shorter);
    const PairJudgement tie = judged(judge, {"x", "s", "same", "same"}, PairOrders::both);
    EXPECT_EQ(tie.verdict, PairVerdict::tie);
    EXPECT_TRUE(tie.questions.empty());
    EXPECT_TRUE(judge.prompts.empty());
}

TEST(PairwiseJudges, ShowTextsAsTheyAre) {
    ScriptedJudge judge(shorter);
    judged(judge, {"x", "The {a} of {b}", "{source}", "<b>two</b>"}, PairOrders::fixed);
    EXPECT_THAT(judge.prompts[0], testing::HasSubstr("### Source text:\nThe {a} of {b}\n"));
    EXPECT_THAT(judge.prompts[0], testing::HasSubstr("### Candidate A:\n{source}\n"));
    EXPECT_THAT(judge.prompts[0], testing::HasSubstr("### Candidate B:\n<b>two</b>\n"));
}

TEST(PairwiseJudges, HaveAPromptForEachCriterion) {
    ScriptedJudge judge(shorter);
    const PromptFiles prompts;
    for (const std::string& criterion : pairwise_criteria()) PairwiseJudge(judge, prompts, criterion, {});
    EXPECT_EQ(prompts.versions().size(), 3u);
    EXPECT_THAT(message_of([&] { PairwiseJudge(judge, prompts, "beauty", {}); }), testing::HasSubstr("beauty"));
    const TemporaryFolder folder;
    folder.file("pairwise.fluency.txt", "{source} {a}");
    EXPECT_EQ(message_of([&] { PairwiseJudge(judge, PromptFiles(folder.path()), "fluency", {}); }),
              (folder.path() / "pairwise.fluency.txt").string() + ": expected the placeholder {b}, got none");
}

TEST(PairwiseJudges, KeepEveryAnswerAsItCame) {
    int asked = 0;
    ScriptedJudge judge([&](const std::string&) { return says(asked++ == 0 ? "Hm" : "(A)"); });
    const PairwiseItem item = {"x", "s", "short", "longer"};
    const auto rows = judgement_rows("x", "fluency", judged(judge, item, PairOrders::fixed));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0], Json::parse(R"({"id":"x","criterion":"fluency","order":"ab","attempt":1,"reply":"Hm","verdict":null,
        "reason":"no choice","let_pass":[]})"));
    EXPECT_EQ(rows[1],
              Json::parse(R"row({"id":"x","criterion":"fluency","order":"ab","attempt":2,"reply":"(A)","verdict":"a",
        "reason":null,"let_pass":["marks"]
})row"));
}

}  // namespace
}  // namespace craft
