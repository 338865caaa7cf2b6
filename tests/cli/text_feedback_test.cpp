// `revise --text-feedback` beside a server: what it asks for, what it costs, and where it is refused.
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/systems/hosted/chat_server.h"

namespace craft {
namespace {

using test::run_command;

// A planner that asks for one check, and a reader that finds a mistake.
std::string planned_or_found(const Json& body, int64_t /*choice*/) {
    const auto last = body["messages"].back()["content"].get<std::string>();
    if (last.find("mistakes of grammar") != std::string::npos)
        return "Original: Nobody cross it now.; Suggestion: Nobody crosses it now.";
    return "###THOUGHT:\nA thought.\n###ACTION:\n###TOOLS:\n```\nsentence_count_check(5, \"less than\")\n```\n###PLAN:\n";
}

TEST(ReviseTextFeedback, CostsStandInRowAndLedger) {
    const TemporaryFolder folder;
    const auto at = [&](const std::string& name) { return (folder.path() / name).string(); };
    write_file_atomic(
        at("in.jsonl"),
        "{\"id\":\"a\",\"instruction\":\"Write fewer than five sentences:\",\"text\":\"The bridge was shut. Nobody cross "
        "it now.\"}\n");
    chat_server::ChatServer server({.answer = planned_or_found, .keep_requests = true});
    const auto result = run_command({"revise",
                                     "--input",
                                     at("in.jsonl"),
                                     "--output",
                                     at("out.jsonl"),
                                     "--method",
                                     "iter",
                                     "--rounds",
                                     "2",
                                     "--planner",
                                     "openai:test",
                                     "--reviser",
                                     "rules",
                                     "--scorers",
                                     "none",
                                     "--text-feedback",
                                     "grammaticality",
                                     "--feedback",
                                     "openai:test",
                                     "--answers",
                                     at("answers"),
                                     "--set",
                                     "openai.test.model=test-model",
                                     "--set",
                                     "openai.test.base_url=" + server.base_url()});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json row = JsonLinesReader(at("out.jsonl")).next().value();
    EXPECT_EQ(row["cost"]["calls"], 3);  // two plans, one text looked through
    EXPECT_EQ(row["trace"]["counted"]["feedback: suggestions"], 1);
    EXPECT_EQ(row["trace"]["rounds"][0]["text_feedback"],
              "Grammar: \"Nobody cross it now.\" should read \"Nobody crosses it now.\"");
    EXPECT_FALSE(row["trace"]["rounds"][1].contains("text_feedback"));
    const Json manifest = read_json_file(at("out.jsonl.manifest.json"));
    EXPECT_EQ(manifest["usage"]["roles"]["feedback"]["feedback"]["requests"], 1) << manifest["usage"];
    EXPECT_TRUE(manifest["versions"]["prompts"].contains("feedback.grammaticality.txt")) << manifest["versions"];
}

TEST(ReviseTextFeedback, IsRefusedWhereNobodyGivesOrReadsIt) {
    const auto problems = [](test::Arguments more) {
        test::Arguments all = {
            "revise", "--text", "A text.", "--instruction", "Shorten it:", "--planner", "local:none", "--scorers", "none"};
        all.insert(all.end(), more.begin(), more.end());
        return run_command(all).err;
    };
    const auto has = [](const std::string& all, const std::string& part) { return all.find(part) != std::string::npos; };
    EXPECT_TRUE(has(problems({"--method", "iter", "--text-feedback", "fluency"}),
                    "--text-feedback: --reviser rules makes no suggestions; known for --feedback: local:MODEL[+ADAPTER], "
                    "openai:PROFILE"));
    EXPECT_TRUE(has(problems({"--method", "iter", "--text-feedback", "fluency", "--feedback", "rules"}),
                    "--feedback rules makes no suggestions"));
    EXPECT_TRUE(has(problems({"--method", "plan", "--text-feedback", "fluency", "--feedback", "local:none"}),
                    "expected with --method iter or search"));
    EXPECT_TRUE(has(
        problems({"--method", "iter", "--without", "feedback", "--text-feedback", "fluency", "--feedback", "local:none"}),
        "expected without --without plan or feedback, got with it (nobody reads them)"));
    EXPECT_TRUE(
        has(problems({"--method", "iter", "--rounds", "1", "--text-feedback", "fluency", "--feedback", "local:none"}),
            "expected without --rounds 1, got with it (nobody reads them)"));
    EXPECT_TRUE(has(problems({"--method", "iter", "--text-feedback", "none,fluency", "--feedback", "local:none"}),
                    "expected 'none' alone"));
    EXPECT_TRUE(
        has(problems({"--method", "iter", "--feedback", "local:none"}), "--feedback: expected with --text-feedback "));
    EXPECT_TRUE(has(problems({"--method", "iter", "--text-feedback", "beauty"}), "beauty"));
}

}  // namespace
}  // namespace craft
