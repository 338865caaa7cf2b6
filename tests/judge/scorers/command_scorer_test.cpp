#include "judge/scorers/command_scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

JsonCommandOptions scorer_script(const std::string& script, int64_t restarts = 0) {
    return {.command = script, .timeout_seconds = 20, .restarts = restarts, .quiet_seconds = 0.2};
}

// Answers each request with itself and, put at its end, these keys.
std::string answering(const std::string& keys) {
    return "sed -u 's/}$/," + keys + "}/'";
}

const std::vector<ScoredPair> kTwo = {{"a", "b"}, {"c", "d"}};

std::string scoring_failure(const JsonCommandOptions& options) {
    testing::internal::CaptureStderr();  // warnings of restarts
    const std::string message = message_of([&] { CommandScorer(options).score(kTwo); });
    testing::internal::GetCapturedStderr();
    return message;
}

// The length of each request's line.
const std::string kLength = "awk -F'\"' '{print \"{\\\"id\\\":\\\"\" $4 \"\\\",\\\"score\\\":\" length($0) \"}\"}'";

TEST(CommandScorer, ValuesAreTheCommandsInTheOrderOfPairs) {
    CommandScorer scorer(scorer_script(kLength));
    // {"id":"1","source":"a","prediction":"bb","references":[]}
    EXPECT_THAT(scorer.score({{"a", "bb"}, {"a", ""}}), ElementsAre(57, 55));
    EXPECT_EQ(scorer.name(), "external");
    EXPECT_FALSE(scorer.scale().has_value());
}

TEST(CommandScorer, APairIsAskedForOnceInARun) {
    const TemporaryFolder folder;
    const std::string seen = (folder.path() / "seen").string(), lives = (folder.path() / "lives").string();
    {  // what it saw is in the file when it has ended
        CommandScorer scorer(
            scorer_script("echo life >> " + lives + "; tee -a " + seen + " | " + answering(R"("score":1)")));
        EXPECT_THAT(scorer.score({{"a", "b"}, {"c", "d"}, {"a", "b"}}), ElementsAre(1, 1, 1));
        EXPECT_THAT(scorer.score({{"c", "d"}, {"ab", ""}, {"", "ab"}}), ElementsAre(1, 1, 1));
        EXPECT_THAT(scorer.score({{"ab", ""}, {"a", "b"}}), ElementsAre(1, 1)) << "nothing is new: it is not started";
        EXPECT_TRUE(scorer.score({}).empty());
    }
    const std::string asked = read_file(seen);
    EXPECT_EQ(std::count(asked.begin(), asked.end(), '\n'), 4) << asked;
    EXPECT_EQ(read_file(lives), "life\n") << "one life for all calls";
}

TEST(CommandScorer, ItsScaleHoldsForAllCalls) {
    CommandScorer scorer(scorer_script(answering(R"("score":7,"scale":[0,10])")));
    scorer.score(kTwo);
    EXPECT_EQ(scorer.scale(), std::make_pair(0.0, 10.0));
    const auto says = [](const std::string& lines, const std::string& scale) {
        return " -e '" + lines + "s/}$/,\"score\":7,\"scale\":" + scale + "}/'";
    };
    CommandScorer fickle(scorer_script("sed -u" + says("1,2", "[0,10]") + says("3,9", "[0,9]")));
    fickle.score(kTwo);
    EXPECT_THAT(message_of([&] {
                    fickle.score({{"e", "f"}});
                }),
                HasSubstr("field 'scale': expected what an earlier answer said, 0 to 10, got 0 to 9"));
}

TEST(CommandScorer, ThatDiesIsStartedAgain) {
    CommandScorer scorer(scorer_script("head -n 1 | " + answering(R"("score":3)"), 1));
    testing::internal::CaptureStderr();
    EXPECT_THAT(scorer.score(kTwo), ElementsAre(3, 3));
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("restarting the command"));
    EXPECT_THAT(scoring_failure(scorer_script("exit 3", 1)), HasSubstr("expected 2 answers, got 0, then exit code 3"));
}

TEST(CommandScorer, WhatGoesWrongIsOneLine) {
    JsonCommandOptions hanging = scorer_script("sleep 100");
    hanging.timeout_seconds = 0.2;
    EXPECT_THAT(scoring_failure(hanging), HasSubstr("expected 2 answers, got 0, then nothing for 0.2 s"));
    EXPECT_THAT(scoring_failure(scorer_script("tac | " + answering(R"("score":1)"))),
                HasSubstr("answer 1: expected the id of the next request, '1', got '2'"));
    EXPECT_THAT(scoring_failure(scorer_script("head -n 1 | " + answering(R"("score":1)"))),
                HasSubstr("expected 2 answers, got 1, then "));
    EXPECT_THAT(scoring_failure(scorer_script(answering(R"("score":"high")"))),
                HasSubstr("field 'score': expected a number"));
    EXPECT_THAT(scoring_failure(scorer_script("cat")),
                HasSubstr("expected a number under 'score' or 'external', got neither"));
}

// The shipped example, run by Python.
TEST(CommandScorer, TheExampleWorks) {
    CommandScorer scorer(scorer_script("python3 '" + test_source("/scripts/external_scorer_example.py'")));
    // Of river, rose, the two are kept; of an empty text nothing is lost.
    EXPECT_THAT(scorer.score({{"The river rose the", "the RIVER fell"}, {"", "x"}, {"naïve", "naïve"}}),
                ElementsAre(testing::DoubleNear(2.0 / 3, 1e-12), 1, 1));
    EXPECT_EQ(scorer.scale(), std::make_pair(0.0, 1.0));
}

}  // namespace
}  // namespace craft
