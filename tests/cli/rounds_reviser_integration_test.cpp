// align --iter with a hosted model that carries the plans out.
#include <gmock/gmock.h>

#include "tests/align/tiny_planner.h"
#include "tests/cli/revising_server.h"

namespace craft {
namespace {

using testing::HasSubstr;

class RoundsReviser : public test::ReviseCase {
protected:
    RoundsReviser() {
        std::vector<std::string> responses;
        for (const std::string& call : test::babble())
            responses.push_back(call + "\n###PLAN:\nSentence: \"It was so.\"; Improvement Plan: \"Cut very.\"");
        test::make_tiny_planner(folder_.path() / "model", responses);
        std::string texts;
        for (const SourceText& text : test::some_texts("train", 40))
            texts += dump_line({{"id", text.id}, {"text", text.text}}) + "\n";
        folder_.file("texts.jsonl", texts);
        write_json_file(folder_.path() / "rounds.json",
                        {{"prompt", "compact"},
                         {"dev_count", 3},
                         {"selection_count", 3},
                         {"data", {{"test", 0}}},
                         {"perplexity_model", at("model")},
                         {"sampling", {{"max_new_tokens", 6}, {"temperature", 1}}},
                         {"rounds", {{"instructions", 8}, {"samples", 3}, {"history_steps", 2}, {"min_gap", 1}}}});
    }
    test::Arguments align(const std::string& out) const {
        return {"align",
                "--iter",
                "1",
                "--config",
                at("rounds.json"),
                "--config",
                at("hosted.json"),
                "--model",
                at("model"),
                "--texts",
                at("texts.jsonl"),
                "--out",
                at(out),
                "--reviser",
                "openai:own",
                "--answers",
                at("answers"),
                "--lora-rank",
                "2",
                "--batch-size",
                "4"};
    }
};

TEST_F(RoundsReviser, IsAskedOnceForEachRevisionAndItsModelBelongsToTheRun) {
    const chat_server::ChatServer server(test::revising_server());
    config(server.base_url());
    const test::Outcome outcome = test::run_command(align("a"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const int64_t asked = server.counts().good;
    EXPECT_GT(asked, 0);
    const Json usage = read_json_file(folder_.path() / "a/manifest.json")["notes"]["usage"]["roles"]["reviser"];
    EXPECT_EQ(usage["revise"]["requests"].get<int64_t>() - usage["revise"]["hits"].get<int64_t>(), asked) << usage.dump();

    const test::Outcome again = test::run_command(align("b"));
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(server.counts().good, asked) << "every answer is recorded";
    EXPECT_EQ(read_file(folder_.path() / "b/round-1/pairs/responses.jsonl"),
              read_file(folder_.path() / "a/round-1/pairs/responses.jsonl"));

    config(server.base_url(), {{"model", "another"}});
    EXPECT_THAT(test::failure_of(align("a")), HasSubstr("models.openai:own"));
}

}  // namespace
}  // namespace craft
