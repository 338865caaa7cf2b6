// Recorded answers know whom they asked: the same texts put to other servers, to another model at the same place, and to one
// model that has moved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "systems/recorded/cache_folder.h"
#include "tests/cli/revising_server.h"
#include "tests/systems/recorded/old_cache.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using test::Arguments;
using test::failure_of;
using test::Outcome;
using test::run_command;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RecordedServers : public test::ReviseCase {
protected:
    // Every text continues with the name of the model, so that rows tell who wrote them.
    static chat_server::ChatServerOptions serving(const std::string& model, int port = 0) {
        chat_server::ChatServerOptions options;
        options.port = port;
        options.model = model;
        options.answer = [model](const Json&, int64_t) { return "Written by " + model + "."; };
        return options;
    }
    // The text of the one row, asked of `base_url`.
    std::string revised(const std::string& base_url, const Json& more = Json::object()) {
        config(base_url, more);
        const Outcome outcome = run_command(revise({"--method", "direct", "--reviser", "openai:own", "--input", texts(1),
                                                    "--output", at("o-" + std::to_string(++runs_) + ".jsonl")}));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        said_ = outcome.err;
        return rows("o-" + std::to_string(runs_) + ".jsonl")[0]["text"];
    }
    int runs_ = 0;
    std::string said_;
};

TEST_F(RecordedServers, EachEndpointHasItsOwnAnswers) {
    ChatServer a(serving("a")), b(serving("b"));
    EXPECT_EQ(revised(a.base_url()), "Written by a.");
    EXPECT_EQ(revised(b.base_url()), "Written by b.") << "under the same name of a model";
    EXPECT_EQ(revised(a.base_url() + "/chat/completions"), "Written by a.") << "the same place, written otherwise";
    EXPECT_EQ(a.counts().good, 1);
    EXPECT_EQ(b.counts().good, 1);
    EXPECT_THAT(said_, HasSubstr("1 requests (1 recorded)"));
}

// llama.cpp answers whatever name it is asked by; only its list of models says which file it has.
TEST_F(RecordedServers, AServerThatIsStartedAgainWithAnotherModelIsAsked) {
    auto server = std::make_unique<ChatServer>(serving("a.gguf"));
    const int port = server->port();
    const std::string url = server->base_url();
    const Json any = {{"model", "any"}};
    EXPECT_EQ(revised(url, any), "Written by a.gguf.");
    server.reset();
    EXPECT_EQ(revised(url, any), "Written by a.gguf.") << "recorded answers need no server";
    server = std::make_unique<ChatServer>(serving("b.gguf", port));
    EXPECT_EQ(revised(url, any), "Written by b.gguf.");
    EXPECT_EQ(revised(url, any), "Written by b.gguf.");
    EXPECT_EQ(server->counts().good, 1);
    server.reset();
    server = std::make_unique<ChatServer>(serving("a.gguf", port));
    EXPECT_EQ(revised(url, any), "Written by a.gguf.");
    EXPECT_EQ(server->counts().good, 0) << "its answers are still there";
}

TEST_F(RecordedServers, AModelThatTheProfileNamesMayMove) {
    ChatServer here(serving("a")), there(serving("a"));
    const Json named = {{"serves", "a of our cluster"}};
    EXPECT_EQ(revised(here.base_url(), named), "Written by a.");
    EXPECT_EQ(revised(there.base_url(), named), "Written by a.");
    EXPECT_EQ(there.counts().requests, 0);
}

TEST_F(RecordedServers, AnswersOfTheOldFormAreCountedAndNotUsed) {
    ChatServer server(serving("a"));
    revised(server.base_url());
    EXPECT_THAT(said_, Not(HasSubstr("older version")));
    const std::string old_form = std::string(test::kMakeSchema1) + "UPDATE answers SET key = 'of another record'";
    Database((folder_.path() / "answers" / kAnswersFile), std::chrono::milliseconds(1000)).run(old_form.c_str());
    revised(server.base_url());
    EXPECT_EQ(server.counts().good, 2) << "it is asked for anew";
    const std::string line =
        "answers recorded by an older version do not name their server: they are ignored, but kept answers=1";
    EXPECT_THAT(said_, HasSubstr(line));
    EXPECT_EQ(said_.find(line), said_.rfind(line)) << "once";
    const Json described = parse_json(run_command({"inspect", at("answers"), "--format", "json"}).out, "inspect");
    EXPECT_EQ(described["answers"], 2) << "the old one is still there";
    EXPECT_EQ(described["of_old_form"], 1);
}

TEST_F(RecordedServers, WhatIsExportedSaysWhomItWasAskedOf) {
    ChatServer server(serving("a"));
    revised(server.base_url());
    ASSERT_EQ(run_command({"answers", "export", "--answers", at("answers"), "--output", at("e.jsonl")}).code, 0);
    const Json row = rows("e.jsonl")[0];
    EXPECT_EQ(row["request"]["asked_of"], Json({{"endpoints", {server.base_url()}}}));
    EXPECT_EQ(row["request"]["model"], "test-model");
    EXPECT_EQ(row["server"], Json({{server.base_url(), {{"id", "a"}}}}));
}

// A judge at each place, which always disagree: both are asked.
TEST_F(RecordedServers, APanelAtTwoEndpointsAsksBoth) {
    const auto saying = [](const std::string& verdict) {
        chat_server::ChatServerOptions options;
        options.answer = [=](const Json&, int64_t) { return "Aspect: Short, " + verdict + "\n"; };
        return options;
    };
    ChatServer one(saying("Best: 0, Worst: 1")), other(saying("Best: 1, Worst: 0"));
    const auto profile = [](const ChatServer& server) { return Json({{"base_url", server.base_url()}, {"model", "m"}}); };
    folder_.file("panel.json", Json({{"openai", {{"a", profile(one)}, {"b", profile(other)}}}}).dump());
    folder_.file("g.txt", "version: 7\naspects: Short (alignment)\n---\nJudge them.\n");
    folder_.file("c.jsonl",
                 R"({"id":"1","source":"one","candidates":[{"system":"x","text":"aaa"},{"system":"y","text":"a"}]})"
                 "\n");
    const Outcome outcome =
        run_command({"judge", "--input", at("c.jsonl"), "--output", at("p.jsonl"), "--guideline", at("g.txt"), "--aspect",
                     "Short", "--panel", "openai:a,openai:b", "--answers", at("answers"), "--config", at("panel.json")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(one.counts().good, 1) << outcome.err;
    EXPECT_EQ(other.counts().good, 1) << outcome.err;
}

TEST_F(RecordedServers, AnEmptyInstructionIsRefusedLikeAnEmptyText) {
    config("http://127.0.0.1:9/v1");
    for (const char* field : {"instruction", "text"}) {
        Json row = {{"id", 1}, {"instruction", "Shorten it:"}, {"text", "A text."}};
        row[field] = " \n\t";
        const std::string input = folder_.file("i.jsonl", row.dump() + "\n");
        EXPECT_THAT(
            failure_of(revise({"--method", "direct", "--reviser", "openai:own", "--input", input, "--output", at("o")})),
            AllOf(HasSubstr("i.jsonl:1: field '" + std::string(field) + "': expected a"), HasSubstr("an empty one")));
    }
    EXPECT_EQ(
        failure_of(revise({"--method", "direct", "--reviser", "openai:own", "--text", "A text.", "--instruction", " "})),
        "2: --instruction: expected an instruction, got an empty one");
}

}  // namespace
}  // namespace craft
