#include "metrics/external_metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "metrics/runner.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

JsonCommandOptions scorer_command(const std::string& script) {
    return {.command = script, .timeout_seconds = 20, .restarts = 0};
}

// Answers each request with itself and, put at its end, what follows.
std::string adding(const std::string& keys) {
    return "sed -u 's/}$/," + keys + "}/'";
}

std::vector<MetricItem> two_items() {
    return {{.id = "a", .source = "s", .prediction = "p", .references = {"r", "q"}},
            {.id = "b", .source = "", .prediction = "\"}\n", .references = {""}}};
}

std::string external_failure(const std::string& script) {
    return message_of([&] { external_metric("lens", scorer_command(script))->measure_all(two_items()); });
}

TEST(ExternalMetric, ScoresAreTheCommandsOwn) {
    // The number of characters of each request: those of both items differ.
    const auto metric = external_metric(
        "lens", scorer_command("awk -F'\"' '{print \"{\\\"id\\\":\\\"\" $4 \"\\\",\\\"score\\\":\" length($0) \"}\"}'"));
    const std::vector<ItemScore> scores = metric->measure_all(two_items());
    ASSERT_EQ(scores.size(), 2u);
    // {"id":"a","source":"s","prediction":"p","references":["r","q"]}
    EXPECT_EQ(scores[0].value, 63);
    // {"id":"b","source":"","prediction":"\"}\n","references":[""]}
    EXPECT_EQ(scores[1].value, 61);
    for (const ItemScore& score : scores) metric->add(score);
    EXPECT_EQ(metric->corpus(), Json::parse(R"({"lens":62.0})"));
    EXPECT_THAT(metric->signature(), StartsWith("lens|unnamed|scale:unknown|command:xxh64:"));
    EXPECT_TRUE(metric->options().at("scorer").is_null());
    EXPECT_EQ(metric->measure(two_items()[1]).value, 61);
}

TEST(ExternalMetric, AKeptCommandIsStartedOnceAndKnownToAll) {
    const TemporaryFolder folder;
    const std::string lives = (folder.path() / "lives").string();
    const auto make = kept_external_metric(
        "lens", scorer_command("echo life >> " + lives + "; " + adding(R"("score":0.5,"scorer":"LENS")")));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(make()->measure_all(two_items()).at(1).value, .5);
    EXPECT_EQ(read_file(lives), "life\n");
    EXPECT_THAT(make()->signature(), StartsWith("lens|LENS|"));
}

TEST(ExternalMetric, WhatTheCommandSaysOfItselfStandsInTheSignature) {
    const auto metric =
        external_metric("lens", scorer_command(adding(R"("score":61.5,"scorer":"LENS 0.1.1","scale":[0,100])")));
    metric->measure_all(two_items());
    EXPECT_THAT(metric->signature(), StartsWith("lens|LENS 0.1.1|scale:[0,100]|command:xxh64:"));
    const std::string signature = metric->signature();
    EXPECT_EQ(std::count(signature.begin(), signature.end(), '|'), 4);
    EXPECT_EQ(metric->options().at("scorer"), "LENS 0.1.1");
    EXPECT_EQ(metric->options().at("scale"), Json::parse("[0,100]"));
}

TEST(ExternalMetric, AnswersThatAreNoneAreOneLine) {
    EXPECT_THAT(external_failure(adding(R"("score":NaN)")), HasSubstr("answer 1"));
    EXPECT_THAT(external_failure(adding(R"("score":1e999)")), HasSubstr("answer 1"));
    EXPECT_THAT(external_failure(adding(R"("score":null)")),
                HasSubstr("answer 1: field 'score': expected a number, got null"));
    EXPECT_THAT(external_failure(adding(R"("score":"7")")),
                HasSubstr("answer 1: field 'score': expected a number, got \"7\""));
    EXPECT_THAT(external_failure("cat"), HasSubstr("answer 1: expected a number under 'score' or 'lens', got neither"));
    EXPECT_THAT(external_failure(adding(R"("score":1,"lens":1)")), HasSubstr("got both"));
    EXPECT_THAT(external_failure("tac | " + adding(R"("score":1)")),
                HasSubstr("answer 1: expected the id of the next request, 'a', got 'b'"));
    EXPECT_THAT(external_failure("head -n 1 | " + adding(R"("score":1)")),
                HasSubstr("expected 2 answers, got 1, then exit code 0"));
    EXPECT_THAT(external_failure("sed p | " + adding(R"("score":1)")),
                HasSubstr("answer 2: expected the id of the next request"));
    EXPECT_THAT(external_failure("/nowhere/at/all"), HasSubstr("expected a command that runs, got exit code 127"));
    for (const std::string& message : {external_failure("cat"), external_failure(adding(R"("score":NaN)"))})
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(ExternalMetric, ScaleAndNameHoldForAllAnswers) {
    EXPECT_THAT(external_failure(adding(R"("score":101,"scale":[0,100])")),
                HasSubstr("answer 1: field 'score': expected a number from 0 to 100, got 101"));
    EXPECT_THAT(external_failure(adding(R"("score":1,"scale":[100,0])")),
                HasSubstr("field 'scale': expected [lowest, highest], got [100,0]"));
    EXPECT_THAT(external_failure(adding(R"("score":1,"scale":"0-100")")), HasSubstr("field 'scale'"));
    EXPECT_THAT(external_failure(adding(R"("score":1,"scorer":"a|b")")),
                HasSubstr("field 'scorer': expected a name of one line"));
    EXPECT_THAT(external_failure(adding(R"("score":1,"scorer":7)")), HasSubstr("field 'scorer'"));
    // The second answer says something else, or says late what the first one breaks.
    const auto second = [](const std::string& keys) { return adding(R"("score":5)") + " | sed -u '2s/}$/," + keys + "}/'"; };
    EXPECT_THAT(external_failure(second(R"("scale":[0,4])")), HasSubstr("answer 2: field 'score'"));
    EXPECT_THAT(external_failure("printf '{\"id\":\"a\",\"score\":5}\\n{\"id\":\"b\",\"score\":1,\"scale\":[0,4]}\\n'"),
                HasSubstr("answer to 'a': field 'score': expected a number from 0 to 4, got 5"));
    const std::string named = adding(R"("score":5,"scorer":"x")") + " | sed -u '2s/\"x\"/\"y\"/'";
    EXPECT_THAT(external_failure(named),
                HasSubstr("answer 2: field 'scorer': expected what an earlier answer said, 'x', got 'y'"));
}

TEST(ExternalMetric, RunsOverAFileInOneCall) {
    const TemporaryFolder folder;
    std::string lines;
    for (int i = 0; i < 3000; ++i)
        lines += R"({"id":)" + std::to_string(i) + R"(,"source":"s","prediction":"p","references":["r"]})" + "\n";
    const std::string lives = (folder.path() / "lives").string();
    const auto metric = external_metric("lens", scorer_command("echo life >> " + lives + "; " + adding(R"("lens":0.5)")));
    int64_t rows = 0;
    const MetricRun run = run_metric(
        *metric, folder.file("m.jsonl", lines), {.threads = 3, .block_items = 10, .lines = {}},
        [&](const std::string& row) { EXPECT_EQ(row, R"({"id":")" + std::to_string(rows++) + R"(","lens":0.5})"); });
    EXPECT_EQ(run.items, 3000);
    EXPECT_EQ(run.corpus.at("lens"), 0.5);
    EXPECT_EQ(read_file(lives), "life\n");
}

}  // namespace
}  // namespace craft
