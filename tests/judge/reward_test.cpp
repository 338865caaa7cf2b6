#include "judge/reward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {

namespace {

// Values a text by its length, and counts what it was asked.
struct LengthScorer : Scorer {
    double scale = 1;
    int asked = 0, calls = 0;
    std::vector<double> score(const std::vector<ScoredPair>& pairs) override {
        std::vector<double> values;
        for (const ScoredPair& pair : pairs) values.push_back(scale * static_cast<double>(pair.hypothesis.size()));
        asked += static_cast<int>(pairs.size());
        ++calls;
        return values;
    }
    double normalise(double value, double initial) const override { return 100 * (initial - value) / initial; }
    std::string name() const override { return "length"; }
};

Instruction two_constraints() {
    Instruction instruction;
    instruction.id = "a";
    instruction.domain = 2;
    instruction.text = "One two three four. Five six.";  // 8 Treebank tokens, 2 sentences, 29 bytes
    instruction.gold = {{WordCountCheck{8, Relation::less_than}, WordCountCheck{2, Relation::more_than}},
                        {SentenceCountCheck{2, Relation::more_than}}};
    return instruction;
}

std::string response_with(const std::string& calls) {
    PlannerResponse response;
    response.tools = calls;
    return print_response(response);
}

}  // namespace

TEST(Judge, WeighsUsageQualityAndAdherence) {
    const Instruction instruction = two_constraints();
    const auto scorer = std::make_shared<LengthScorer>();
    Judge judge({}, {scorer});
    // Gold is four calls with text_eval(); two of the prediction's three are right: P 2/3, R 2/4, F1 4/7. The revision has 5
    // tokens (the range is met) and 1 sentence (the count is not): S_c 1/2. Its 19 of 29 bytes are worth 100*10/29.
    const auto judged = judge.judge(
        {{&instruction, response_with("sentence_count_check(2, \"more than\")\nword_count_check(9, \"less than\")"),
          "One two three four."}});
    ASSERT_EQ(judged.size(), 1U);
    EXPECT_DOUBLE_EQ(judged[0].tool_use.tool_f1, 4.0 / 7);
    EXPECT_THAT(judged[0].adherence.met, ::testing::ElementsAre(true, false));
    EXPECT_EQ(judged[0].quality.at(0).scorer, "length");
    EXPECT_DOUBLE_EQ(judged[0].quality[0].revision, 19);
    EXPECT_DOUBLE_EQ(judged[0].quality[0].text, 29);
    EXPECT_DOUBLE_EQ(judged[0].s_r.value(), 1000.0 / 29);
    EXPECT_DOUBLE_EQ(judged[0].s_a, 0.5 * 400 / 7 + 0.25 * 1000 / 29 + 0.25 * 50);
    const StepScores scores = judged[0].scores();
    EXPECT_EQ(scores.s_v, 4.0 / 7);
    EXPECT_EQ(scores.s_c, 0.5);
    EXPECT_EQ(scores.s_r, judged[0].s_r);
    EXPECT_EQ(scores.s_a, judged[0].s_a);
    EXPECT_EQ(to_json(scores.quality).dump(), R"({"length":{"revision":19.0,"text":29.0}})");
}

TEST(Judge, WithoutConstraintsAdherenceIsFull) {
    Instruction instruction;
    instruction.text = "One.";
    Judge judge({}, {});
    const auto judged = judge.judge({{&instruction, response_with("text_eval()"), "Two."}});
    EXPECT_DOUBLE_EQ(judged[0].s_a, 50 + 25);
    EXPECT_FALSE(judged[0].scores().s_c);
    EXPECT_FALSE(judged[0].s_r);  // no scorer ran
    EXPECT_FALSE(judged[0].scores().s_r);
    EXPECT_TRUE(judged[0].scores().quality.empty());
}

TEST(Judge, QualityIsTheMeanOfTheScorers) {
    Instruction instruction;
    instruction.text = "0123456789";
    const auto a = std::make_shared<LengthScorer>(), b = std::make_shared<LengthScorer>();
    b->scale = 3;
    Judge judge({.lambda_v = 0, .lambda_r = 1, .lambda_c = 0}, {a, b});
    const auto judged = judge.judge({{&instruction, "", "0123"}});
    EXPECT_DOUBLE_EQ(judged[0].s_a, 60);
    ASSERT_EQ(judged[0].quality.size(), 2U);
    EXPECT_EQ(judged[0].quality[0].revision, 4);
    EXPECT_EQ(judged[0].quality[1].revision, 12);
    EXPECT_EQ(judged[0].quality[1].text, 30);
}

TEST(Judge, InitialValuesAreComputedOnceInOneCall) {
    const Instruction instruction = two_constraints();
    const auto scorer = std::make_shared<LengthScorer>();
    Judge judge({}, {scorer});
    judge.judge({{&instruction, "", "a"}, {&instruction, "", "b"}, {&instruction, "", "c"}});
    EXPECT_EQ(scorer->asked, 4);
    EXPECT_EQ(scorer->calls, 1);
    EXPECT_TRUE(judge.judge({}).empty());
}

TEST(Judge, ARevisionWithoutInstructionIsRefused) {
    Judge judge({}, {});
    EXPECT_THROW(judge.judge({{nullptr, "", ""}}), Error);
}

}  // namespace craft
