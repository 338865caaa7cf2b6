#include "judge/reward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

QualityTerm term(const std::shared_ptr<LengthScorer>& scorer) {
    return {scorer, lower_is_better};
}

// What is judged, with all that it points at.
struct Case {
    Case(const Instruction& asked, const std::string& said, const std::string& revised)
        : instruction(asked), response(said), original(asked.text), text(revised) {}
    Instruction instruction;
    ParsedResponse response;
    MeasuredText original, text;
    Revision revision() const { return {&instruction, &response.calls, &original, &text}; }
};

}  // namespace

TEST(Judge, WeighsUsageQualityAndAdherence) {
    const Instruction instruction = two_constraints();
    const auto scorer = std::make_shared<LengthScorer>();
    Judge judge({}, {term(scorer)});
    // Gold is four calls with text_eval(); two of the prediction's three are right: P 2/3, R 2/4, F1 4/7. The revision has 5
    // tokens (the range is met) and 1 sentence (the count is not): S_c 1/2. Its 19 of 29 bytes are worth 100*10/29.
    const Case one(instruction, response_with("sentence_count_check(2, \"more than\")\nword_count_check(9, \"less than\")"),
                   "One two three four.");
    const auto judged = judge.judge({one.revision()});
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
    const Case one(instruction, response_with("text_eval()"), "Two.");
    const auto judged = judge.judge({one.revision()});
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
    Judge judge({.lambda_v = 0, .lambda_r = 1, .lambda_c = 0}, {term(a), term(b)});
    const Case one(instruction, "", "0123");
    const auto judged = judge.judge({one.revision()});
    EXPECT_DOUBLE_EQ(judged[0].s_a, 60);
    ASSERT_EQ(judged[0].quality.size(), 2U);
    EXPECT_EQ(judged[0].quality[0].revision, 4);
    EXPECT_EQ(judged[0].quality[1].revision, 12);
    EXPECT_EQ(judged[0].quality[1].text, 30);
}

TEST(Judge, InitialValuesAreComputedOnceInOneCall) {
    const Instruction instruction = two_constraints();
    const auto scorer = std::make_shared<LengthScorer>();
    Judge judge({}, {term(scorer)});
    const Case a(instruction, "", "a"), b(instruction, "", "b"), c(instruction, "", "c");
    judge.judge({a.revision(), b.revision(), c.revision()});
    EXPECT_EQ(scorer->asked, 4);
    EXPECT_EQ(scorer->calls, 1);
    EXPECT_TRUE(judge.judge({}).empty());
}

// The value of a revision is the number of pairs that it came with, as a model's last bits may depend on them: a text and
// its two revisions are three, whatever other texts are judged; a command is asked once for all.
TEST(Judge, AScoreDoesNotDependOnWhichOtherTextsAreJudged) {
    class Counting : public Scorer {
    public:
        explicit Counting(bool once) : once_(once) {}
        std::vector<double> score(const std::vector<ScoredPair>& pairs) override {
            return std::vector<double>(pairs.size(), static_cast<double>(pairs.size()));
        }
        bool is_best_asked_once() const override { return once_; }
        std::string name() const override { return "counting"; }

    private:
        bool once_;
    };
    Instruction other = two_constraints();
    other.text = "Another text.";
    const Case a(two_constraints(), "", "a"), b(other, "", "b"), c(two_constraints(), "", "c");
    for (const bool once : {false, true}) {
        Judge judge({}, {{std::make_shared<Counting>(once), lower_is_better}});
        const std::vector<Judged> judged = judge.judge({a.revision(), b.revision(), c.revision()});
        EXPECT_EQ(judged[0].quality.at(0).revision, once ? 5 : 3);
        EXPECT_EQ(judged[1].quality.at(0).revision, once ? 5 : 2);
        EXPECT_EQ(judged[2].quality.at(0).revision, once ? 5 : 3);
    }
}

TEST(Judge, ARevisionThatLacksSomethingIsRefused) {
    Judge judge({}, {});
    const Case one(two_constraints(), "", "a");
    Revision revision = one.revision();
    revision.instruction = nullptr;
    EXPECT_THROW(judge.judge({revision}), Error);
    revision = one.revision();
    revision.text = nullptr;
    EXPECT_THROW(judge.judge({revision}), Error);
}

TEST(Quality, ScalesAreWithinZeroAndAHundred) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_DOUBLE_EQ(lower_is_better(30, 40), 25);
    EXPECT_DOUBLE_EQ(lower_is_better(50, 40), 0);
    EXPECT_DOUBLE_EQ(lower_is_better(0, 40), 100);
    EXPECT_DOUBLE_EQ(lower_is_better(infinity, 40), 0);
    EXPECT_DOUBLE_EQ(lower_is_better(30, infinity), 0);
    EXPECT_DOUBLE_EQ(lower_is_better(std::nan(""), 40), 0);
}

TEST(Quality, UnknownAndUnfurnishedScorersAreErrors) {
    EXPECT_TRUE(open_quality({}, {}).empty());
    EXPECT_THROW(open_quality({"bart"}, {}), Error);
    EXPECT_THROW(open_quality({"perplexity"}, {}), Error);  // nothing to measure with
    EXPECT_THROW(open_quality({"latex"}, {}), Error);       // reported, not rewarded
    EXPECT_TRUE(need_language_model({"perplexity"}));
    EXPECT_FALSE(need_language_model({}));
}

TEST(Quality, NamesThatARewardCanBeMadeOf) {
    EXPECT_EQ(quality_scorer_problem("perplexity"), "");
    EXPECT_EQ(quality_scorer_problem("perplexity:m"), "");
    EXPECT_EQ(quality_scorer_problem("some:m"), "");
    EXPECT_EQ(quality_scorer_problem("bertscore:m"), "");
    EXPECT_EQ(
        quality_scorer_problem("latex"),
        "expected one of bartscore:MODEL, bertscore:MODEL, external:COMMAND, some:MODEL, perplexity[:MODEL], got 'latex'");
    EXPECT_NE(quality_scorer_problem("some"), "");
}

// Of 0 to 4, 3 is 75; without a scale there is nothing to bring to 0-100.
TEST(Quality, ACommandsScaleIsItsOwn) {
    const auto to_hundred = [](const std::string& keys, double value) {
        const auto terms = open_quality({"external:sed -u 's/}$/," + keys + "}/'"}, {});
        terms.at(0).scorer->score({{"a", "b"}});
        return terms.at(0).to_hundred(value, 0);
    };
    EXPECT_DOUBLE_EQ(to_hundred(R"("score":3,"scale":[0,4])", 3), 75);
    EXPECT_DOUBLE_EQ(to_hundred(R"("score":3,"scale":[2,4])", 1), 0);
    EXPECT_THROW(to_hundred(R"("score":3)", 3), Error);
}

}  // namespace craft
