// `gec` and `gec traces`: rows, formats, counts, and continuing where a run stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/revising_server.h"
#include "tests/gec/retrieval/search_server.h"
#include "tests/gec/rules/rules_language.h"
#include "tests/source.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using test::Arguments;
using test::failure_of;
using test::run_command;
using testing::HasSubstr;

// Puts "has" in the place of "have" by an action, then answers; where the temperature is high it continues with another
// sentence.
std::string agent_answer(const Json& body, int64_t /*choice*/) {
    const Json& messages = body.at("messages");
    const std::string last = messages.back().at("content");
    const bool is_wrong = last.find(" have ") != std::string::npos;
    if (messages.at(0).at("content").get<std::string>().find("Reply with one line") != std::string::npos)
        return "Final Answer: " + std::regex_replace(last.substr(last.find("> ") + 2), std::regex(" have "), " has ");
    if (is_wrong)
        return "Thought: One person.\nAction: transform\nAction Input: {\"from\": \"have\", \"to\": \"has\"}\nObservation: "
               "done";
    return "Thought: All is well.\nFinal Answer: " + last.substr(last.find("> ") + 2);
}

class GecCommands : public test::ReviseCase {
protected:
    Arguments gec(const Arguments& more, const std::string& input = "") const {
        Arguments all = {"gec",        "--config",    at("hosted.json"),
                         "--answers",  at("answers"), "--model",
                         "openai:own", "--input",     input.empty() ? lines() : input,
                         "--output",   at("o.jsonl"), "--set",
                         "tools=none"};
        all.insert(all.end(), more.begin(), more.end());
        return test::replacing(all);
    }
    std::string lines() const { return folder_.file("s.txt", "She have a cat .\n\nHe is fine . He have a dog .\n"); }
    Json manifest() const { return read_json_file(at("o.jsonl.manifest.json")); }
};

TEST_F(GecCommands, RowsHaveEditsAndATrace) {
    ChatServer server({.answer = agent_answer});
    config(server.base_url());
    const auto outcome = run_command(gec({}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json made = rows("o.jsonl");
    ASSERT_EQ(made.size(), 3u);
    EXPECT_EQ(made[0]["text"], "She has a cat .");
    EXPECT_EQ(made[0]["edits"], Json::parse(R"([{"start":4,"end":8,"operation":"transform","from":"have","to":"has"}])"));
    EXPECT_EQ(made[0]["calls"], Json({{"transform", 1}}));
    EXPECT_EQ(made[0]["model_calls"], 2);
    EXPECT_EQ(made[0]["ended"], "final");
    EXPECT_FALSE(made[0]["trace"][0]["steps"][0].contains("let_pass")) << "the server stops before what it would observe";
    EXPECT_EQ(made[1]["text"], "");
    EXPECT_EQ(made[1]["model_calls"], 0);
    EXPECT_EQ(made[2]["text"], "He is fine . He has a dog .");
    EXPECT_EQ(made[2]["trace"].size(), 2u);
    const Json told = manifest()["corrected"];
    EXPECT_EQ(told["texts"], 3);
    EXPECT_EQ(told["changed"], 2);
    EXPECT_EQ(told["sentences"], 4);
    EXPECT_EQ(told["not_asked"], Json({{"empty", 1}}));
    EXPECT_EQ(told["model_calls"], Json::parse(R"({"sum":5,"mean":1.6666666666666667,"by_count":{"1":1,"2":2}})"));
    EXPECT_EQ(told["usage_rate"], Json({{"transform", .4}}));
    EXPECT_TRUE(manifest()["versions"]["prompts"].contains("gec.full.json"));
    EXPECT_EQ(manifest()["finished"], true);
    EXPECT_FALSE(std::filesystem::exists(at("o.jsonl.partial")));
}

TEST_F(GecCommands, TextAndM2AreALineEach) {
    ChatServer server({.answer = agent_answer});
    config(server.base_url());
    ASSERT_EQ(run_command(gec({"--format", "text"})).code, 0);
    EXPECT_EQ(read_file(at("o.jsonl")), "She has a cat .\n\nHe is fine . He has a dog .\n");
    ASSERT_EQ(run_command(gec({"--format", "m2"}, folder_.file("one.txt", "She have a cat .\n"))).code, 0);
    EXPECT_EQ(read_file(at("o.jsonl")), "S She have a cat .\nA 1 2|||R:OTHER|||has|||REQUIRED|||-NONE-|||0\n\n");
}

TEST_F(GecCommands, ReferencesGiveScores) {
    ChatServer server({.answer = agent_answer});
    config(server.base_url());
    const std::string text = folder_.file("s2.txt", "She have a cat .\nHe have two dog .\n"),
                      one = folder_.file("r1.txt", "She has a cat .\nHe has two dogs .\n"),
                      other = folder_.file("r2.txt", "She has a cat .\nHe had two dogs .\n");
    const auto outcome =
        run_command(gec({"--format", "text", "--english", "none", "--reference", one, "--reference", other}, text));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json told = manifest()["scores"];
    EXPECT_EQ(told["references"], 2);
    EXPECT_EQ(told["edits"]["tp"], 2);
    EXPECT_EQ(told["edits"]["fp"], 0);
    EXPECT_EQ(told["edits"]["fn"], 1);
    EXPECT_EQ(told["by_type"]["R:OTHER"]["fn"], 1);
    EXPECT_GT(told["gleu"]["corrected"], told["gleu"]["source"]);
    EXPECT_THAT(failure_of(gec({"--reference", folder_.file("r3.txt", "She has a cat .\n")}, text)),
                HasSubstr("r3.txt:1: expected 2 lines"));
    EXPECT_THAT(failure_of(gec({"--reference", one, "--output", one}, text)), HasSubstr("--output"));
}

TEST_F(GecCommands, BaselinesAskOnce) {
    ChatServer server({.answer = agent_answer});
    config(server.base_url());
    ASSERT_EQ(run_command(gec({"--method", "few_shot", "--whole"})).code, 0);
    EXPECT_EQ(rows("o.jsonl")[2]["text"], "He is fine . He has a dog .");
    EXPECT_EQ(manifest()["corrected"]["model_calls"]["sum"], 2);
    EXPECT_EQ(manifest()["corrected"]["calls"], Json::object());
}

// The server answers one search only: a second run has it from the cache.
TEST_F(GecCommands, WebSearchesAreKeptAndCounted) {
    ChatServer server({.answer = [](const Json& body, int64_t /*choice*/) -> std::string {
        const std::string last = body.at("messages").back().at("content");
        if (last.find("Observation:") == std::string::npos)
            return "Thought: I look it up.\nAction: web_search\nAction Input: {\"query\": \"depend of\"}";
        EXPECT_THAT(last, HasSubstr("Depend on (g.example)"));
        return "Thought: All is well.\nFinal Answer: I depend of you .";
    }});
    config(server.base_url());
    test::SearchServer web({test::http("200 OK", test::kFoundOnTheWeb)});
    const std::string text = folder_.file("one.txt", "I depend of you .\n");
    for (const int searched : {1, 0}) {
        const auto outcome = run_command(gec({"--tools", "web_search", "--web-search", web.url()}, text));
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(manifest()["usage"]["recorded"]["searxng"]["asked"], searched);
        EXPECT_EQ(manifest()["corrected"]["calls"]["web_search"], 1);
        std::filesystem::remove(at("o.jsonl"));
        std::filesystem::remove(at("o.jsonl.manifest.json"));
    }
    EXPECT_EQ(web.requests().size(), 1u);
}

TEST_F(GecCommands, GoOnWhereTheyStopped) {
    ChatServer server({.answer = agent_answer});
    config(server.base_url());
    Arguments first = gec({"--set", "flow.items=1", "--record", "none"});
    const Arguments command = first;
    first.insert(first.end(), {"--set", "openai.own.budget.requests=3"});
    EXPECT_NE(run_command(first).code, 0);
    EXPECT_TRUE(std::filesystem::exists(at("o.jsonl.partial")));
    const auto outcome = run_command(command);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("resuming where the command stopped"));
    EXPECT_EQ(rows("o.jsonl").size(), 3u);
    EXPECT_EQ(manifest()["corrected"]["model_calls"]["sum"], 5);
}

TEST_F(GecCommands, ConfigurationsThatShipFit) {
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test_source() + "/configs/gec")) {
        const std::string text = read_file(entry.path());
        if (text.find("`run`") < 10 || entry.path().filename() == "models.json") continue;  // configurations_test.cpp
        const auto outcome = run_command({"gec", "--config", entry.path().string(), "--dump-config"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(parse_json(outcome.out, "dump")["format"], "text");
        ++files;
    }
    EXPECT_EQ(files, 4u);
}

TEST_F(GecCommands, TheTeachersTracesAreOfEachForm) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const std::string gold = folder_.file("g.jsonl",
                                          "{\"id\":\"a\",\"source\":\"She have a cat .\",\"target\":\"She has a cat .\"}\n"
                                          "{\"id\":\"b\",\"source\":\"It is fine .\",\"target\":\"It is fine .\"}\n");
    const auto traced = [&](const Arguments& more) {
        Arguments command = {"gec",  "traces",  "--model", "gold",     "--tools",
                             "none", "--input", gold,      "--output", at("t.jsonl")};
        command.insert(command.end(), more.begin(), more.end());
        return test::replacing(command);
    };
    ASSERT_EQ(run_command(traced({})).code, 0);
    const Json steps = rows("t.jsonl");
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_THAT(steps[0]["messages"][2]["content"].get<std::string>(), HasSubstr("Action: transform"));
    EXPECT_EQ(steps[1]["messages"].size(), 3u);
    ASSERT_EQ(run_command(traced({"--form", "direct", "--score-by", "gleu"})).code, 0);
    const Json direct = rows("t.jsonl");
    ASSERT_EQ(direct.size(), 2u);
    EXPECT_EQ(direct[0]["messages"].size(), 3u);
    EXPECT_EQ(direct[0]["messages"][2]["content"], "Final Answer: She has a cat .");
    EXPECT_THAT(failure_of(traced({"--mistakes", ".5", "--no-reflection"})), HasSubstr("nothing could be undone"));
    EXPECT_THAT(failure_of(traced({"--samples", "2", "--temperature", "1"})), HasSubstr("identical"));
    EXPECT_THAT(
        failure_of({"gec", "traces", "--model", "rules", "--input", gold, "--output", at("u.jsonl"), "--mistakes", ".5"}),
        HasSubstr("expected with --model gold, got --model rules"));
    EXPECT_THAT(
        failure_of({"gec", "traces", "--model", "rules", "--input", gold, "--output", at("u.jsonl"), "--observed-only"}),
        HasSubstr("expected with --model gold, got --model rules"));
    EXPECT_THAT(failure_of(traced({"--observed-only"})), HasSubstr("error_parsing"));
}

TEST_F(GecCommands, ConfigurationsOfTrainingFit) {
    const std::string folder = test_source() + "/configs/gec-training/";
    const std::string data = folder_.file("d.jsonl", "");
    const auto sft = run_command(
        {"sft", "--config", folder + "sft.json", "--model", "m", "--data", data, "--out", at("o"), "--dump-config"});
    EXPECT_EQ(sft.code, 0) << sft.err;
    const auto pairs = run_command(
        {"align", "--config", folder + "pairs.json", "--model", "m", "--pairs", data, "--out", at("o"), "--dump-config"});
    EXPECT_EQ(pairs.code, 0) << pairs.err;
}

TEST_F(GecCommands, TracesBecomeConversationsAndPairs) {
    size_t asked = 0;
    ChatServer server({.answer = [&](const Json& body, int64_t choice) {
        // The first trace of a sentence takes "have" for wrong, the second one "cat".
        const std::string last = body.at("messages").back().at("content");
        if (body.at("messages").size() == 2 && last.find("cat") != std::string::npos && asked++ == 1)
            return std::string("Thought: No.\nAction: transform\nAction Input: {\"from\": \"cat\", \"to\": \"dog\"}");
        if (last.find("dog") != std::string::npos)
            return "Thought: Done.\nFinal Answer: " + last.substr(last.find("> ") + 2);
        return agent_answer(body, choice);
    }});
    config(server.base_url());
    const std::string gold = folder_.file("g.jsonl",
                                          "{\"id\":\"a\",\"source\":\"She have a cat .\",\"target\":\"She has a cat .\"}\n"
                                          "{\"id\":\"b\",\"source\":\"It is fine .\",\"target\":\"It is fine .\"}\n");
    const auto outcome = run_command({"gec",         "traces",        "--config",   at("hosted.json"), "--answers",
                                      at("answers"), "--model",       "openai:own", "--input",         gold,
                                      "--output",    at("t.jsonl"),   "--pairs",    at("p.jsonl"),     "--samples",
                                      "2",           "--temperature", "1",          "--set",           "flow.items=1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json conversations = rows("t.jsonl"), pairs = rows("p.jsonl");
    ASSERT_EQ(conversations.size(), 2u);
    EXPECT_EQ(conversations[0]["messages"].size(), 5u);
    EXPECT_EQ(conversations[0]["messages"][4]["content"], "Thought: All is well.\nFinal Answer: She has a cat .");
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_THAT(pairs[0]["chosen"][0]["content"].get<std::string>(), HasSubstr("have"));
    EXPECT_THAT(pairs[0]["rejected"][0]["content"].get<std::string>(), HasSubstr("cat"));
    const Json told = read_json_file(at("t.jsonl.manifest.json"))["traced"];
    EXPECT_EQ(told["sentences"], 2);
    EXPECT_EQ(told["conversations"], 2);
    EXPECT_EQ(told["pairs"], 1);
    EXPECT_EQ(told["no_pair"], Json({{"gap", 1}}));
    EXPECT_EQ(told["best_value"], 1);
    EXPECT_EQ(told["source_value"], .5);
    EXPECT_THAT(failure_of({"gec", "traces", "--model", "openai:own", "--config", at("hosted.json"), "--input", gold,
                            "--output", at("u.jsonl"), "--samples", "2"}),
                HasSubstr("--temperature above 0"));
}

}  // namespace
}  // namespace craft
