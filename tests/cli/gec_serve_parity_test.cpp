// The grammar agent with a real server, `transformers serve`: what a served model answers is what the same model answers
// here, and its actions are carried out by the real tools.
#include <gmock/gmock.h>

#include "tests/cli/served_models.h"
#include "tests/tools/grammar/grammar_setup.h"

namespace craft {
namespace {

using test::Arguments;

class GecServed : public test::ServedModels {
protected:
    std::vector<Json> corrected(const std::string& system, const Arguments& more) {
        Arguments all = {"gec",         "--config", at("config.json"),  "--answers", at("answers"),
                         "--dtype",     "float32",  "--model",          system,      "--input",
                         at("s.jsonl"), "--output", at("o.jsonl"),      "--prompt",  "short",
                         "--steps",     "3",        "--max-new-tokens", "48"};
        all.insert(all.end(), more.begin(), more.end());
        const test::Outcome outcome = test::run_command(test::replacing(all));
        std::vector<Json> made = rows("o.jsonl");
        // What a model of no training says seldom ends within the limit: then no answer was usable.
        const bool is_usable =
            std::any_of(made.begin(), made.end(), [](const Json& row) { return row.at("status") != "failed"; });
        EXPECT_EQ(outcome.code, is_usable ? 0 : 1) << outcome.err;
        for (Json& row : made) {
            row.erase("seconds");
            for (Json& sentence : row["trace"]) sentence.erase("seconds");
        }
        return made;
    }
};

TEST_F(GecServed, WhatTheServedModelSaysIsWhatItSaysHere) {
    CRAFT_NEEDS_MODEL_SERVER();
    make_and_serve("small");
    folder_.file("s.jsonl", R"({"id":"a","text":"She have two cat ."})"
                            "\n"
                            R"({"id":"b","text":"He is fine . They goes home ."})"
                            "\n");
    for (const Arguments& more : {Arguments{"--tools", "none"}, Arguments{"--method", "few_shot", "--tools", "none"}}) {
        const std::vector<Json> theirs = corrected("openai:small", more);
        ASSERT_EQ(theirs.size(), 2u);
        EXPECT_EQ(manifest("o.jsonl")["usage"]["systems"]["openai:small"]["failed_requests"], Json::object())
            << manifest("o.jsonl")["usage"];
        EXPECT_EQ(theirs, corrected("local:" + at("small"), more));
    }
}

TEST_F(GecServed, ToolsAreCalledAndWhatIsSaidTwiceEndsTheWork) {
    CRAFT_NEEDS_MODEL_SERVER();
    CRAFT_NEEDS_GRAMMAR();
    make_and_serve("looking", "Thought: I look.\nAction: spell_check\nAction Input: {\"sentence\":\"A tset .\"}");
    folder_.file("s.jsonl", R"({"id":"a","text":"A tset ."})"
                            "\n");
    const std::vector<Json> made = corrected("openai:looking", {"--tools", "spell_check"});
    ASSERT_EQ(made.size(), 1u);
    EXPECT_EQ(made[0]["ended"], "repeat");
    EXPECT_EQ(made[0]["text"], "A tset .");
    EXPECT_EQ(made[0]["calls"], Json({{"spell_check", 3}})) << made[0];
    EXPECT_EQ(manifest("o.jsonl")["corrected"]["refused"], Json({{"repeat", 2}}));
    EXPECT_EQ(manifest("o.jsonl")["tools"]["calls"], Json({{"spell_check", 1}}));
    EXPECT_THAT(made[0]["trace"][0]["steps"][0]["observation"].get<std::string>(), testing::HasSubstr("test"));
}

}  // namespace
}  // namespace craft
