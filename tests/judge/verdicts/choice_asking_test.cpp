#include "judge/verdicts/choice_asking.h"

#include <gtest/gtest.h>

#include "tests/judge/verdicts/scripted_judge.h"

namespace craft {
namespace {

using test::says;
using test::ScriptedJudge;

const std::vector<std::string> kWords = {"A", "B"};

TEST(ChoiceAskings, AreRepeatedUntilAnAnswerCanBeRead) {
    size_t asked = 0;
    ScriptedJudge judge([&](const std::string&) {
        return says(std::vector<std::string>{"A, I think", "Tie", "B"}.at(asked++));
    });
    const ChoiceAnswer answer = ask_choice(judge, "Which?", 7, 1, kWords, {});
    EXPECT_EQ(answer.choice, 1u);
    ASSERT_EQ(answer.attempts.size(), 3u);
    EXPECT_EQ(answer.attempts[0].reply, "A, I think");
    // A greedy judge would say the same again: later attempts are sampled, each with a stream of its own.
    EXPECT_EQ(judge.temperatures, (std::vector<double>{0, .7, .7}));
    EXPECT_EQ(judge.keys[0], (std::pair<uint64_t, uint64_t>{7, 1}));
    EXPECT_NE(judge.keys[0], judge.keys[1]);
    EXPECT_NE(judge.keys[1], judge.keys[2]);

    ChoiceCounts counts;
    counts.add(answer);
    EXPECT_EQ(to_json(counts), Json::parse(R"({"questions":1,"answers":3,"asked_again":2,"unread":0,"failed":0,
        "malformed":{"more than the choice":1,"tie":1},"let_pass":{}})"));
}

TEST(ChoiceAskings, EndAtTheLimitAndAtFailures) {
    ScriptedJudge talker([](const std::string&) { return says("Well"); });
    const ChoiceAnswer none = ask_choice(talker, "Which?", 7, 0, kWords, {.attempts = 2});
    EXPECT_EQ(none.choice, std::nullopt);
    EXPECT_EQ(none.attempts.size(), 2u);

    ScriptedJudge broken([](const std::string&) { return Reply::failed(Failure::content_filtered, "filtered"); });
    const ChoiceAnswer failed = ask_choice(broken, "Which?", 7, 0, kWords, {});
    ASSERT_EQ(failed.attempts.size(), 1u) << "the system has asked again by itself";
    EXPECT_EQ(failed.attempts[0].read.problem, "content_filtered");

    ChoiceCounts counts;
    counts.add(none);
    counts.add(failed);
    EXPECT_EQ(counts.unread, 2);
    EXPECT_EQ(counts.failed, 1);
    ChoiceCounts twice = counts;
    twice.add(counts);
    EXPECT_EQ(twice.malformed.at("no choice"), 4);
    EXPECT_EQ(twice.answers, 6);
    EXPECT_EQ(counts.malformed, (std::map<std::string, int64_t>{{"content_filtered", 1}, {"no choice", 2}}));
}

// "A" may have been the beginning of "A is worse": what was cut is no answer, and the limit is final.
TEST(ChoiceAskings, ACutAnswerIsNoChoiceAndEndsTheAsking) {
    ScriptedJudge judge([](const std::string&) { return Reply{.text = "a", .status = Reply::Status::cut}; });
    const ChoiceAnswer answer = ask_choice(judge, "Which?", 7, 0, kWords, {});
    EXPECT_FALSE(answer.choice);
    ASSERT_EQ(answer.attempts.size(), 1u);
    EXPECT_EQ(answer.attempts[0].reply, "a");
    EXPECT_FALSE(answer.attempts[0].is_failed) << "there is a text";
    ChoiceCounts counts;
    counts.add(answer);
    EXPECT_EQ(counts.malformed, (std::map<std::string, int64_t>{{"cut", 1}}));
    EXPECT_EQ(counts.unread, 1);
}

}  // namespace
}  // namespace craft
