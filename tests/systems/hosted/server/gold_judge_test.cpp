#include "tests/systems/hosted/server/gold_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "text/quoted_lines.h"

namespace craft::chat_server {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

const std::string kGold = "word_count_check(20, \"less than\")";

Json gold_row(const std::string& id, const std::string& instruction, const std::string& call = kGold) {
    return {{"id", id},
            {"domain", "c1"},
            {"instruction", instruction},
            {"text", "It was so."},
            {"constraints", Json::array({Json::array({call})})}};
}

// A whole response with these calls, one a line.
std::string planned_calls(const std::string& calls) {
    return "###THOUGHT:\nText: Best: 0, Worst: 1\n###ACTION:\n###TOOLS:\n```\n" + calls +
           "\n```\n###PLAN:\nSentence: \"It was so.\"; Improvement Plan: \"Cut it.\"";
}

// As share/prompts/listwise.json has it; `example` is what a judge says of a guideline's example.
Json judging_body(const std::string& instruction, const std::vector<std::string>& responses,
                  const std::string& example = "") {
    std::string question = "Lines that begin with > are texts.\n\nSource:\n> It was so.\n";
    if (!instruction.empty()) question += "\nInstruction:\n" + quoted_lines(instruction).text() + "\n";
    for (size_t i = 0; i < responses.size(); ++i)
        question += "\nCandidate " + std::to_string(i) + ":\n> It was.\nParse:\n> (S)\nResponse:\n" +
                    quoted_lines(responses[i]).text() + "\n";
    Json messages = Json::array();
    if (!example.empty()) messages.push_back({{"role", "assistant"}, {"content", example}});
    messages.push_back({{"role", "user"}, {"content", question + "\nJudge."}});
    return {{"messages", messages}};
}

const std::string kRight = planned_calls("text_eval()\n" + kGold), kWithout = planned_calls("text_eval()"),
                  kWrong = planned_calls("text_eval()\nword_count_check(20, \"more than\")");

class GoldJudges : public ::testing::Test {
protected:
    GoldJudge judge(const std::vector<Json>& rows, const GoldJudgeOptions& options = {}) const {
        std::string lines;
        for (const Json& one : rows) lines += dump_line(one) + "\n";
        return {folder_.file("gold.jsonl", lines), options};
    }
    const TemporaryFolder folder_;
};

TEST_F(GoldJudges, AgreeWithToolF1) {
    GoldJudge one =
        judge({gold_row("a", "Use less\nthan 20 words:"), gold_row("b", "Be long:", "word_count_check(20, \"more than\")")});
    const auto said = [&](const std::string& instruction, const std::vector<std::string>& responses) {
        return one.answer(judging_body(instruction, responses), 0);
    };
    EXPECT_EQ(said("Use less\nthan 20 words:", {kWithout, kRight, kWrong}), "Best: 1, Worst: 2");
    EXPECT_EQ(said("Be long:", {kWithout, kRight, kWrong}), "Best: 2, Worst: 1");
    EXPECT_EQ(said("Be long:", {kWithout, kRight, kWithout, kRight}), "Best: 0, Worst: 1") << "the first of equals";
    EXPECT_EQ(said("Be long:", {"I cannot.", kRight}), "Best: 0, Worst: 1");
    EXPECT_EQ(one.answer(judging_body("Be long:", {kWrong, kRight},
                                      "So.\nAspect: A, Best: 1, Worst: 0\nAspect: B, Best: 1, Worst: 0"),
                         0),
              "Aspect: A, Best: 0, Worst: 1\nAspect: B, Best: 0, Worst: 1");
    EXPECT_THAT(one.verdicts(), ElementsAre(Pair("right", 5)));
}

TEST_F(GoldJudges, NameNobodyWhereTheyCannot) {
    GoldJudge one = judge({gold_row("a", "Be short:"), gold_row("b", "Be brief:"), gold_row("c", "Be brief:"),
                           gold_row("d", "Be quick:"), gold_row("e", "Be quick:", "word_count_check(9, \"less than\")")},
                          {.errors = 1});
    EXPECT_EQ(one.answer(judging_body("Be short:", {kWrong, kWrong}), 0), "Best: none, Worst: none");
    for (const char* unknown : {"Be quick:", "Be long:"})
        EXPECT_EQ(one.answer(judging_body(unknown, {kWrong, kRight}), 0), "Nobody told me what is right here.") << unknown;
    EXPECT_EQ(one.answer(judging_body("Be brief:", {kWrong, kRight}), 0), "Best: 0, Worst: 1") << "rows that agree";
    EXPECT_THAT(one.verdicts(), ElementsAre(Pair("tie", 1), Pair("unknown", 2), Pair("wrong", 1)));
    // Others' questions.
    EXPECT_FALSE(one.answer(judging_body("", {kWrong, kRight}), 0));
    EXPECT_FALSE(one.answer(judging_body("Be short:", {}), 0));
    EXPECT_FALSE(one.answer({{"messages", Json::array({{{"role", "user"}, {"content", "### Text:\nBe short:"}}})}}, 0));
    EXPECT_THROW(judge(std::vector<Json>(1, Json{{"id", "a"}})), Error);
}

// 500 draws with a probability of .2 have a standard deviation of 9.
TEST_F(GoldJudges, AShareOfVerdictsIsTheWrongWayRound) {
    std::vector<Json> rows, bodies;
    for (int i = 0; i < 500; ++i) {
        const std::string instruction = "Text " + std::to_string(i) + ":";
        rows.push_back(gold_row(std::to_string(i), instruction));
        bodies.push_back(judging_body(instruction, {kWrong, kRight}));
    }
    GoldJudge one = judge(rows, {.errors = .2, .seed = 4}), again = judge(rows, {.errors = .2, .seed = 4}),
              other = judge(rows, {.errors = .2, .seed = 5});
    std::vector<std::string> said, backwards, by_another_seed;
    for (size_t i = 0; i < bodies.size(); ++i) {
        said.push_back(one.answer(bodies[i], 0).value());
        backwards.insert(backwards.begin(), again.answer(bodies[bodies.size() - 1 - i], 0).value());
        by_another_seed.push_back(other.answer(bodies[i], 0).value());
    }
    const auto wrong = std::count(said.begin(), said.end(), "Best: 0, Worst: 1");
    EXPECT_NEAR(static_cast<double>(wrong), 100, 40);
    EXPECT_EQ(std::count(said.begin(), said.end(), "Best: 1, Worst: 0"), 500 - wrong);
    EXPECT_THAT(one.verdicts(), ElementsAre(Pair("right", 500 - wrong), Pair("wrong", wrong)));
    EXPECT_EQ(said, backwards);
    EXPECT_NE(said, by_another_seed);
}

}  // namespace
}  // namespace craft::chat_server
