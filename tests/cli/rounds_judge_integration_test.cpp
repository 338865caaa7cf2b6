// align --iter with a judge of the planner's responses, which knows gold.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "data/trajectory.h"
#include "tests/cli/tiny_rounds.h"
#include "tests/systems/hosted/server/gold_judge.h"
#include "tools/craft/tool_use.h"

namespace craft {
namespace {

using chat_server::GoldJudge;
using testing::HasSubstr;

const std::string kPlannerGuideline = test_source("/share/guidelines/planner.txt");

class RoundsJudge : public test::TinyRounds {
protected:
    void SetUp() override {
        const test::Outcome made = test::run_command({"constraints", "--texts", at("texts.jsonl"), "--domain", "c1,c2",
                                                      "--count", "60", "--output", at("ready.jsonl"), "--seed", "4"});
        ASSERT_EQ(made.code, 0) << made.err;
        for (const Json& row : rows("ready.jsonl")) {
            const Instruction one = instruction_from_json(row, "ready.jsonl");
            gold_[one.id] = one.gold_calls();
        }
    }
    // A round into the folder `out`, with the reviser's and the judge's answers from one server.
    Json pairs_by(GoldJudge& judge, const std::string& out) {
        chat_server::ChatServerOptions options;
        options.answer = [&](const Json& body, int64_t choice) {
            auto verdict = judge.answer(body, choice);
            return verdict ? *verdict : test::revising_answer(body, choice);
        };
        const chat_server::ChatServer server(options);
        config(server.base_url());
        const test::Outcome outcome = test::run_command(on_instructions(
            out, "ready.jsonl",
            {"--judge", "openai:own", "--guideline", kPlannerGuideline, "--set", "rounds.samples=4", "--record", "none"}));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return rows(out + "/round-1/pairs/pairs.jsonl");
    }
    double tool_f1(const Json& pair, const char* side) const {
        const std::string response = pair.at(side).at(0).at("content");
        const std::string id = pair.at("provenance").at("instruction");
        return score_tool_use(ParsedResponse(response).calls, gold_.at(id)).tool_f1;
    }

    std::map<std::string, std::vector<ToolCall>> gold_;
};

TEST_F(RoundsJudge, ItsPairsPreferWhoCallsTheRightTools) {
    GoldJudge judge(at("ready.jsonl"), {});
    const Json pairs = pairs_by(judge, "right");
    ASSERT_FALSE(pairs.empty());
    for (const Json& pair : pairs) EXPECT_GT(tool_f1(pair, "chosen"), tool_f1(pair, "rejected")) << pair;
    EXPECT_EQ(judge.verdicts().at("right"), static_cast<int64_t>(pairs.size()));
    EXPECT_FALSE(judge.verdicts().contains("unknown"));
    int64_t texts = 0;  // responses whose revisions are one text are told apart
    for (const Json& row : rows("right/round-1/pairs/responses.jsonl")) {
        std::set<std::string> revisions;
        for (const Json& response : row.at("responses")) revisions.insert(response.at("revision").get<std::string>());
        texts += row.contains("verdict") && row["verdict"].contains("best") && revisions.size() == 1 ? 1 : 0;
    }
    EXPECT_GT(texts, 0);

    GoldJudge mistaken(at("ready.jsonl"), {.errors = 1});
    const Json turned = pairs_by(mistaken, "wrong");
    ASSERT_FALSE(turned.empty());
    for (const Json& pair : turned) EXPECT_LT(tool_f1(pair, "chosen"), tool_f1(pair, "rejected")) << pair;
}

TEST_F(RoundsJudge, TheRulesSeeNoResponses) {
    config("http://127.0.0.1:1/v1");
    EXPECT_THAT(
        test::failure_of(on_instructions("rules", "ready.jsonl", {"--judge", "rules", "--guideline", kPlannerGuideline})),
        HasSubstr("planner.txt shows instructions or responses, of which the judge rules sees nothing"));
}

}  // namespace
}  // namespace craft
