// `simplify pairs`: what a policy puts in where an option of `judge` does not say anything else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "judge/verdicts/guideline.h"
#include "tests/cli/revising_server.h"
#include "text/utf8.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using test::Arguments;
using test::run_command;
using testing::HasSubstr;

// For Lexical the candidate with "easy" is best, for the others it is worst.
std::string by_aspect(const Json& body, int64_t /*choice*/) {
    const std::string asked = body.at("messages").back().at("content");
    const std::vector<std::string> texts = test::matches_of(asked, "Candidate [0-9]+:\n> ([^\n]*)");
    const size_t easy = texts.at(0).find("easy") != std::string::npos ? 0 : 1;
    std::string reply;
    for (const char* aspect : {"Lexical", "Structural", "Overall"}) {
        const bool is_best = aspect == std::string("Lexical");
        reply += "Aspect: " + std::string(aspect) + ", Best: " + std::to_string(is_best ? easy : 1 - easy) +
                 ", Worst: " + std::to_string(is_best ? 1 - easy : easy) + "\n";
    }
    return reply;
}

class SimplifyPairs : public test::ReviseCase {
protected:
    void SetUp() override {
        folder_.file("c.jsonl", R"({"id":"1","source":"It was facile.","policy":"lexical","candidates":[)"
                                R"({"system":"x","text":"It was easy."},{"system":"y","text":"It was banal."}]})"
                                "\n");
        folder_.file("g.txt", "version: 7\naspects: Short, Lexical\n---\nJudge them.\n");
    }
    Arguments pairs(const Arguments& more) const {
        Arguments all = {"simplify",    "pairs",   "--config",    at("hosted.json"), "--answers",
                         at("answers"), "--input", at("c.jsonl"), "--output",        at("p.jsonl")};
        all.insert(all.end(), more.begin(), more.end());
        return test::replacing(all);
    }
};

TEST_F(SimplifyPairs, HaveThePolicysGuidelineAspectAndInstruction) {
    ChatServer server({.answer = by_aspect});
    config(server.base_url());
    for (const auto& [policy, aspect, chosen] :
         {std::tuple("lexical", "Lexical", "It was easy."), std::tuple("rewriting", "Overall", "It was banal.")}) {
        const auto outcome = run_command(pairs({"--policy", policy, "--judge", "openai:own"}));
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const Json pair = rows("p.jsonl").at(0);
        const std::string prompt =
            trim(read_file(share_folder() / "prompts" / ("simplify." + std::string(policy) + ".txt")));
        EXPECT_EQ(pair["prompt"], Json::array({{{"role", "system"}, {"content", prompt}},
                                               {{"role", "user"}, {"content", "It was facile."}}}));
        EXPECT_EQ(pair["provenance"]["aspect"], aspect);
        EXPECT_THAT(pair["chosen"].dump(), HasSubstr(chosen));
        EXPECT_EQ(pair["provenance"]["guideline"]["hash"],
                  read_guideline(share_folder() / "guidelines" / "sentence.txt").hash);
    }
}

TEST_F(SimplifyPairs, OptionsOfJudgeComeFirst) {
    ChatServer server({.answer = by_aspect});
    config(server.base_url());
    folder_.file("system.txt", "Be plain.\n");
    const auto outcome = run_command(pairs({"--policy", "rewriting", "--judge", "openai:own", "--guideline", at("g.txt"),
                                            "--aspect", "Lexical", "--system-prompt", at("system.txt")}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json pair = rows("p.jsonl").at(0);
    EXPECT_EQ(pair["prompt"][0]["content"], "Be plain.");
    EXPECT_EQ(pair["provenance"]["aspect"], "Lexical");
    EXPECT_EQ(pair["provenance"]["guideline"]["version"], "7");
}

}  // namespace
}  // namespace craft
