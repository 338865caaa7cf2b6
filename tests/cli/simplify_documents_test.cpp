// The policy `document` from texts of several paragraphs to simplified ones, beside a server that simplifies and judges.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simplify/policy.h"
#include "systems/prompt_files.h"
#include "tests/cli/revising_server.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using test::Arguments;
using test::run_command;
using testing::HasSubstr;

constexpr const char* kDocument = "The old task of the clerks was facile.\n\nHe commenced at nine, and they all went home.";
constexpr const char* kEasier = "The old task of the clerks was easy.\n\nHe began at nine, and they all went home.";

// A judge is told so by its guideline. It likes "easy", dislikes "facile", and says so for no aspect.
std::string judged(const std::string& asked) {
    const std::vector<std::string> first_lines = test::matches_of(asked, "Candidate [0-9]+:\n> ([^\n]*)");
    size_t best = 0, worst = 0;
    for (size_t i = 0; i < first_lines.size(); ++i) {
        if (first_lines[i].find("easy") != std::string::npos) best = i;
        if (first_lines[i].find("facile") != std::string::npos) worst = i;
    }
    return "It is easier.\nBest: " + std::to_string(best) + ", Worst: " + std::to_string(worst);
}

std::string answered(const Json& body, int64_t /*choice*/) {
    const Json& messages = body.at("messages");
    const std::string asked = messages.back().at("content");
    if (messages.at(0).at("content").get<std::string>().find("Best: NUMBER") != std::string::npos) return judged(asked);
    const std::string easier = std::regex_replace(asked, std::regex("facile"), "easy");
    return "Here is the simplified text:\n\n" + std::regex_replace(easier, std::regex("commenced"), "began");
}

class SimplifyDocuments : public test::ReviseCase {
protected:
    void SetUp() override { folder_.file("t.jsonl", Json({{"id", "d"}, {"text", kDocument}}).dump() + "\n"); }
    test::Outcome simplify(const std::string& step, const Arguments& more) const {
        Arguments all = {"simplify",        step,        "--policy",   "document", "--config",
                         at("hosted.json"), "--answers", at("answers")};
        all.insert(all.end(), more.begin(), more.end());
        return run_command(all);
    }
};

TEST_F(SimplifyDocuments, GoThroughAllFourSteps) {
    std::vector<Json> bodies;
    ChatServer server({.answer = [&](const Json& body, int64_t choice) {
        bodies.push_back(body);
        return answered(body, choice);
    }});
    config(server.base_url());
    auto outcome =
        simplify("candidates", {"--systems", "openai:own,rules:copy", "--input", at("t.jsonl"), "--output", at("c.jsonl")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(rows("c.jsonl"),
              Json::array({{{"id", "d"},
                            {"source", kDocument},
                            {"policy", "document"},
                            {"candidates", Json::array({{{"system", "openai:own"}, {"text", kEasier}},
                                                        {{"system", "rules:copy"}, {"text", kDocument}}})}}}));
    ASSERT_EQ(bodies.size(), 1u);
    EXPECT_EQ(bodies[0]["messages"].size(), 8u) << "three examples";
    EXPECT_EQ(bodies[0]["max_tokens"], 4096);

    outcome = simplify("pairs", {"--judge", "openai:own", "--orders", "both", "--set", "flow.items=1", "--input",
                                 at("c.jsonl"), "--output", at("p.jsonl"), "--judgements", at("j.jsonl")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json pair = rows("p.jsonl").at(0);
    const Conversation asked = PolicyPrompt(PromptFiles(), SimplificationPolicy::document).ask(kDocument);
    EXPECT_EQ(pair["prompt"], asked.messages);
    EXPECT_EQ(pair["chosen"][0]["content"], kEasier);
    EXPECT_EQ(pair["rejected"][0]["content"], kDocument);
    EXPECT_EQ(pair["provenance"]["policy"], "document");
    EXPECT_FALSE(pair["provenance"].contains("aspect")) << "its guideline has one verdict";
    for (const Json& row : rows("j.jsonl")) EXPECT_TRUE(row["verdict"].contains("")) << row;

    test::make_random_model(at("model"));
    outcome = run_command({"simplify", "train", "--model", at("model"), "--pairs", at("p.jsonl"), "--out", at("trained"),
                           "--dtype", "float32"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    outcome = simplify("run", {"--model", "local:" + at("model") + "+" + at("trained/adapter"), "--input", at("t.jsonl"),
                               "--output", at("o.jsonl"), "--max-new-tokens", "8", "--dtype", "float32"});
    ASSERT_EQ(outcome.code, 1) << "eight tokens are no answer\n" << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(at("o.jsonl")));
    EXPECT_EQ(kept_rows("o.jsonl").size(), 1u);
    outcome = simplify("run", {"--model", "openai:own", "--input", at("t.jsonl"), "--output", at("hosted.jsonl")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(rows("hosted.jsonl"), Json::array({{{"id", "d"}, {"text", kEasier}, {"status", "revised"}}}));
}

TEST_F(SimplifyDocuments, AnotherPolicysCandidatesAreWarnedOf) {
    config("http://127.0.0.1:1");
    folder_.file("c.jsonl", R"({"id":"1","source":"a","policy":"document","candidates":[{"system":"x","text":"b"}]})"
                            "\n");
    const auto other = run_command({"simplify", "pairs", "--input", at("c.jsonl"), "--output", at("p.jsonl"), "--policy",
                                    "lexical", "--judge", "scores", "--scores-metric", "fkgl"});
    EXPECT_EQ(other.code, 0) << other.err;
    EXPECT_THAT(other.err, HasSubstr("candidates were made for another policy than --policy lexical"));
    EXPECT_THAT(other.err, HasSubstr("document"));
}

}  // namespace
}  // namespace craft
