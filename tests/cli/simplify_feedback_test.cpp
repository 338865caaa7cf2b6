// `simplify run --feedback`: rounds beside a server that simplifies, reports and judges; counts, the trace, continuing, and
// what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "tests/cli/revising_server.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using test::Arguments;
using test::failure_of;
using test::run_command;
using testing::HasSubstr;

constexpr const char* kGuideline =
    "version: 7\naspects: Short, Long\n---\nJudge them.\n=== report Short\nsource: A.\ncandidate: B.\n\nA longer one.\n";

// One model in three roles: it takes a "very" out of a text each time that it is told to, says where one is, and calls the
// shorter of two texts better. It says nothing of a text about bells.
std::string feedback_answer(const Json& body, int64_t /*choice*/) {
    const Json& messages = body.at("messages");
    const std::string told = messages[0].at("content"), asked = messages.back().at("content");
    const auto without_one = [](const std::string& text) {
        return std::regex_replace(text, std::regex(" very"), "", std::regex_constants::format_first_only);
    };
    if (asked.find("Write your report.") != std::string::npos) {
        const std::string text = test::matches_of(asked, "Version:\n> ([^\n]*)").at(0);
        if (text.find("bell") != std::string::npos) return "";
        return text.find("very") == std::string::npos ? "Nothing is left to be improved." : "A \"very\" is left.";
    }
    if (asked.find("Judge the candidates") != std::string::npos) {
        const std::vector<std::string> texts = test::matches_of(asked, "Candidate [0-9]+:\n> ([^\n]*)");
        const int best = texts.at(0).size() < texts.at(1).size() ? 0 : 1;
        return "So.\nAspect: Short, Best: " + std::to_string(best) + ", Worst: " + std::to_string(1 - best);
    }
    const std::string version = test::behind(asked, "Version:\n> ");
    const std::string text = !version.empty()      ? version.substr(0, version.find('\n'))
                             : messages.size() > 2 ? messages[messages.size() - 2].at("content").get<std::string>()
                                                   : asked;
    return without_one(text);
}

class SimplifyFeedback : public test::ReviseCase {
protected:
    void SetUp() override {
        folder_.file("g.txt", kGuideline);
        folder_.file("s.jsonl",
                     "{\"id\":\"a\",\"text\":\"It was very very very hard.\"}\n"
                     "{\"id\":\"b\",\"text\":\"It was very hard.\"}\n"
                     "{\"id\":\"c\",\"text\":\"The bell was very very old.\"}\n");
    }
    Arguments feedback(const Arguments& more = {}) const {
        Arguments all = {"simplify", "run",         "--config",    at("hosted.json"), "--answers",  at("answers"),
                         "--input",  at("s.jsonl"), "--output",    at("o.jsonl"),     "--policy",   "lexical",
                         "--model",  "openai:own",  "--judge",     "openai:own",      "--feedback", "2",
                         "--trace",  at("t.jsonl"), "--guideline", at("g.txt"),       "--aspect",   "Short"};
        all.insert(all.end(), more.begin(), more.end());
        return test::replacing(all);
    }
    Json manifest() const { return read_json_file(at("o.jsonl.manifest.json")); }
};

// a: the first answer has two "very" left, the rounds one and none. b: none is left, and both rounds repeat it. c: no
// report.
TEST_F(SimplifyFeedback, RoundsAreAnsweredTracedAndCounted) {
    ChatServer server({.answer = feedback_answer});
    config(server.base_url());
    const auto outcome = run_command(feedback());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(rows("o.jsonl"), Json::parse(R"([{"id":"a","text":"It was hard.","status":"revised"},
        {"id":"b","text":"It was hard.","status":"revised"},{"id":"c","text":"The bell was very old.","status":"revised"}])"));
    const Json traced = rows("t.jsonl");
    ASSERT_EQ(traced.size(), 3u);
    EXPECT_EQ(traced[0]["source"], "It was very very very hard.");
    EXPECT_EQ(traced[0]["rounds"][0], Json::parse(R"({"round":0,"text":"It was very very hard."})"));
    EXPECT_EQ(traced[0]["rounds"][1]["report"], "A \"very\" is left.");
    EXPECT_EQ(traced[0]["rounds"][1]["verdict"], "better");
    EXPECT_THAT(traced[0]["rounds"][1]["judgement"].get<std::string>(), HasSubstr("Aspect: Short"));
    EXPECT_EQ(traced[0]["rounds"][2]["text"], "It was hard.");
    EXPECT_EQ(traced[1]["rounds"][2]["no_verdict"], "equal");
    const Json told = manifest()["simplified"]["feedback"];
    EXPECT_EQ(told["texts"], 3);
    for (const Json& round : told["rounds"]) {
        EXPECT_EQ(round["corrected"], 1);
        EXPECT_EQ(round["unchanged"], 1);
        EXPECT_EQ(round["no_report"], Json({{"no_content", 1}}));
        EXPECT_EQ(round["better"], 1);
        EXPECT_EQ(round["no_verdict"], Json({{"equal", 1}}));
    }
    EXPECT_EQ(manifest()["feedback"]["aspect"], "Short");
    EXPECT_EQ(manifest()["feedback"]["guideline"]["version"], "7");
    EXPECT_TRUE(manifest()["usage"]["roles"].contains("judge"));
    EXPECT_TRUE(manifest()["versions"]["prompts"].contains("simplify_feedback.json"));
    EXPECT_TRUE(manifest()["versions"]["prompts"].contains("report.json"));
}

TEST_F(SimplifyFeedback, AConversationOfItsOwnSaysTheSame) {
    ChatServer server({.answer = feedback_answer});
    config(server.base_url());
    ASSERT_EQ(run_command(feedback({"--set", "feedback.form=apart", "--keep", "preferred"})).code, 0);
    EXPECT_EQ(rows("o.jsonl")[0]["text"], "It was hard.");
    EXPECT_EQ(manifest()["simplified"]["feedback"]["rounds"][0]["corrected"], 1);
}

TEST_F(SimplifyFeedback, AStoppedRunGoesOnAndNothingIsAskedTwice) {
    std::mutex mutex;
    std::map<std::string, int> answered;  // how often each request had an answer with a text
    ChatServer server({.answer = [&](const Json& body, int64_t choice) {
        std::string text = feedback_answer(body, choice);
        const std::lock_guard lock(mutex);
        if (!text.empty()) ++answered[body.dump()];
        return text;
    }});
    config(server.base_url());
    Arguments first = feedback({"--set", "flow.items=1"});
    first.insert(first.end(), {"--set", "openai.own.budget.requests=9"});  // a takes 7 requests: 1 + 2 rounds of 3
    EXPECT_NE(run_command(first).code, 0);
    EXPECT_TRUE(std::filesystem::exists(at("o.jsonl.partial")));
    EXPECT_FALSE(std::filesystem::exists(at("t.jsonl")));
    EXPECT_EQ(answered.size(), 9u);
    const auto outcome = run_command(feedback({"--set", "flow.items=1"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("resuming where the command stopped"));
    EXPECT_EQ(rows("t.jsonl").size(), 3u);
    EXPECT_EQ(rows("t.jsonl")[0]["rounds"][2]["text"], "It was hard.");
    EXPECT_EQ(manifest()["simplified"]["feedback"]["texts"], 3);
    EXPECT_EQ(manifest()["simplified"]["feedback"]["rounds"][1]["corrected"], 1);
    ASSERT_EQ(run_command(feedback({"--set", "flow.items=3"})).code, 0);
    EXPECT_EQ(rows("o.jsonl")[0]["text"], "It was hard.");
    // 7 for a; for b 1 and two rounds of 2, the second of which asks the same as another sample; 1 for c.
    for (const auto& [request, times] : answered) EXPECT_LE(times, 2) << request;
    int64_t all = 0;
    for (const auto& [request, times] : answered) all += times;
    EXPECT_EQ(all, 7 + 5 + 1);
}

// A text takes seven requests, each of which hangs on the answer before it.
TEST_F(SimplifyFeedback, BatchesAreWaitedForStepByStep) {
    config("http://127.0.0.1:9/v1", {{"key_env", "CRAFT_BATCH_TEST_KEY_THAT_IS_NOT_SET"}});
    folder_.file("s.jsonl", "{\"id\":\"a\",\"text\":\"It was very very very hard.\"}\n");
    const Arguments command = feedback({"--batch", at("batch")});
    int pauses = 0;
    for (; pauses < 10; ++pauses) {
        const auto outcome = run_command(command);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        if (std::filesystem::exists(at("o.jsonl"))) break;
        const std::string number = std::to_string(pauses + 1);
        const Json asked = rows("batch/own/requests-00" + number + ".jsonl");
        ASSERT_EQ(asked.size(), 1u);
        const Json message = {{"role", "assistant"}, {"content", feedback_answer(asked[0]["body"], 0)}};
        const Json body = {{"choices", {{{"index", 0}, {"finish_reason", "stop"}, {"message", message}}}},
                           {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 10}}}};
        const Json line = {{"custom_id", asked[0]["custom_id"]}, {"response", {{"status_code", 200}, {"body", body}}}};
        folder_.file("batch/own/output-" + number + ".jsonl", line.dump() + "\n");
    }
    EXPECT_EQ(pauses, 7);
    EXPECT_EQ(rows("o.jsonl")[0]["text"], "It was hard.");
    EXPECT_EQ(manifest()["simplified"]["feedback"]["rounds"][1]["better"], 1);
}

TEST_F(SimplifyFeedback, AJudgeThatSaysNothingIsTold) {
    ChatServer server({.answer = feedback_answer});
    config(server.base_url());
    folder_.file("s.jsonl", "{\"id\":\"c\",\"text\":\"The bell was very very old.\"}\n");
    const auto outcome = run_command(feedback());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("the judge reported on no text"));
    EXPECT_EQ(rows("o.jsonl")[0]["text"], "The bell was very old.");
}

TEST_F(SimplifyFeedback, WhatCannotBeDoneIsRefused) {
    config("http://127.0.0.1:9/v1");
    const auto refusal = [&](const Arguments& more) {
        Arguments all = {"simplify", "run",         "--config", at("hosted.json"), "--answers", at("answers"),
                         "--input",  at("s.jsonl"), "--output", at("o.jsonl"),     "--policy",  "lexical"};
        all.insert(all.end(), more.begin(), more.end());
        return failure_of(all);
    };
    EXPECT_THAT(refusal({"--model", "openai:own", "--judge", "rules"}),
                HasSubstr("--judge: expected with --feedback, got without"));
    EXPECT_THAT(refusal({"--model", "openai:own", "--trace", at("t.jsonl")}),
                HasSubstr("--trace: expected with --feedback"));
    EXPECT_THAT(refusal({"--model", "openai:own", "--feedback", "2"}), HasSubstr("missing --judge"));
    EXPECT_THAT(refusal({"--model", "rules:split", "--feedback", "2", "--judge", "rules"}),
                HasSubstr("--feedback: expected a model that reads reports, got rules:split"));
    EXPECT_THAT(refusal({"--model", "openai:own", "--feedback", "2", "--judge", "scores"}),
                HasSubstr("--judge: expected one that writes reports"));
    EXPECT_THAT(refusal({"--model", "openai:own", "--feedback", "2", "--judge", "openai:other"}), HasSubstr("other"));
    EXPECT_THAT(refusal({"--model", "openai:own", "--feedback", "2", "--judge", "openai:own", "--aspect", "Short"}),
                HasSubstr("--aspect: expected with --guideline"));
    EXPECT_THAT(refusal({"--model", "openai:own", "--feedback", "2", "--judge", "openai:own", "--guideline", at("g.txt")}),
                HasSubstr("--aspect: expected one of Short, Long"));
    folder_.file("planners.txt", "shows: responses\n---\nJudge them.\n");
    EXPECT_EQ(
        refusal({"--model", "openai:own", "--feedback", "2", "--judge", "openai:own", "--guideline", at("planners.txt")}),
        "2: --guideline: expected one that shows texts alone, got " + at("planners.txt"));
    EXPECT_THAT(refusal({"--model", "openai:own", "--feedback", "2", "--judge", "openai:own", "--trace", at("o.jsonl")}),
                HasSubstr("--trace"));
}

}  // namespace
}  // namespace craft
