// `simplify candidates`, `run` and `train`: rows, counts, and continuing where a run stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "losses/losses.h"
#include "tests/cli/revising_server.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using test::Arguments;
using test::run_command;
using testing::HasSubstr;

// Puts "easy" in the place of "facile", after a preface; says nothing where the text is mute.
std::string simplifying_answer(const Json& body, int64_t /*choice*/) {
    const std::string text = body.at("messages").back().at("content");
    if (text.find("mute") != std::string::npos) return "";
    return "Here is the simplified sentence: " + std::regex_replace(text, std::regex("facile"), "easy");
}

class SimplifyCommands : public test::ReviseCase {
protected:
    std::string sentences() const {
        return folder_.file("s.jsonl",
                            "{\"id\":\"a\",\"text\":\"The task of the two old clerks was facile.\"}\n"
                            "{\"id\":\"b\",\"text\":\"Too short.\"}\n"
                            "{\"id\":3,\"text\":\"The mute bell of the church was never facile to ring.\",\"more\":1}\n");
    }
    Arguments simplify(const std::string& command, const Arguments& more) const {
        Arguments all = {"simplify", command,     "--config", at("hosted.json"), "--answers", at("answers"),
                         "--input",  sentences(), "--output", at("o.jsonl"),     "--policy",  "lexical"};
        all.insert(all.end(), more.begin(), more.end());
        return test::replacing(all);
    }
};

TEST_F(SimplifyCommands, CandidatesAreGroupsForAJudge) {
    ChatServer server({.answer = simplifying_answer});
    config(server.base_url());
    const auto outcome = run_command(simplify("candidates", {"--systems", "openai:own,rules:copy"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(rows("o.jsonl"), Json::parse(R"([
        {"id":"a","source":"The task of the two old clerks was facile.","policy":"lexical","candidates":[
            {"system":"openai:own","text":"The task of the two old clerks was easy."},
            {"system":"rules:copy","text":"The task of the two old clerks was facile."}]},
        {"id":"3","source":"The mute bell of the church was never facile to ring.","policy":"lexical","candidates":[
            {"system":"rules:copy","text":"The mute bell of the church was never facile to ring."}]}])"));
    const Json manifest = read_json_file(at("o.jsonl.manifest.json"));
    const Json told = manifest["simplified"];
    EXPECT_EQ(told["texts"], 3);
    EXPECT_EQ(told["rows"], 2);
    EXPECT_EQ(told["dropped"], Json({{"too short", 1}}));
    EXPECT_EQ(told["systems"]["openai:own"], Json::parse(R"({"texts":2,"made":1,"left_out":{"no_content":1},
        "noted":{"prefaced":1}})"));
    EXPECT_EQ(told["systems"]["rules:copy"]["noted"], Json({{"unchanged", 2}}));
    EXPECT_TRUE(manifest["versions"]["prompts"].contains("simplify.lexical.txt"));
    EXPECT_TRUE(manifest["versions"]["prompts"].contains("simplify_replies.json"));
    EXPECT_EQ(manifest["finished"], true);
    EXPECT_FALSE(std::filesystem::exists(at("o.jsonl.partial")));
}

TEST_F(SimplifyCommands, RunAsksWithTheInstructionAlone) {
    std::vector<Json> bodies;
    ChatServer server({.answer = [&](const Json& body, int64_t choice) {
        bodies.push_back(body);
        return simplifying_answer(body, choice);
    }});
    config(server.base_url());
    ASSERT_EQ(run_command(simplify("run", {"--model", "openai:own", "--set", "flow.items=1"})).code, 0);
    EXPECT_EQ(rows("o.jsonl"), Json::parse(R"([
        {"id":"a","text":"The task of the two old clerks was easy.","status":"revised"},
        {"id":"b","text":"Too short.","status":"unchanged"},
        {"id":"3","text":"The mute bell of the church was never facile to ring.","status":"failed","reason":"no_content"}])"));
    ASSERT_GE(bodies.size(), 3u);
    EXPECT_EQ(bodies[0]["messages"].size(), 2u);
    EXPECT_EQ(bodies[0]["temperature"], 0);
    bodies.clear();
    ASSERT_EQ(run_command(simplify("run", {"--model", "openai:own", "--shots", "3", "--set", "flow.items=1"})).code, 0);
    EXPECT_EQ(bodies.at(0)["messages"].size(), 8u);
}

TEST_F(SimplifyCommands, RunGoesOnWhereItStopped) {
    ChatServer server({.answer = simplifying_answer});
    config(server.base_url());
    // The second text's request is beyond the budget: the run ends there and keeps the first row.
    const Arguments command = simplify("run", {"--model", "openai:own", "--set", "flow.items=1", "--record", "none"});
    Arguments first = command;
    first.insert(first.end(), {"--set", "openai.own.budget.requests=1"});
    EXPECT_NE(run_command(first).code, 0);
    EXPECT_TRUE(std::filesystem::exists(at("o.jsonl.partial")));
    EXPECT_EQ(server.counts().good, 1);
    const auto outcome = run_command(command);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("resuming where the command stopped"));
    EXPECT_EQ(rows("o.jsonl").size(), 3u);
    EXPECT_EQ(rows("o.jsonl")[0]["text"], "The task of the two old clerks was easy.");
    EXPECT_EQ(read_json_file(at("o.jsonl.manifest.json"))["simplified"]["texts"], 3);
}

Json resolved(const Arguments& arguments) {
    const auto outcome = run_command(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return parse_json(outcome.out, "dump");
}

TEST(SimplifyTrain, HasThePapersSettings) {
    const Arguments train = {"simplify", "train", "--model", "m", "--pairs", "p.jsonl", "--out", "o", "--dump-config"};
    const Json own = resolved(train);
    EXPECT_EQ(own["loss"]["name"], "arpo_simpo");
    EXPECT_EQ(own["train"]["lr"], 1e-4);
    EXPECT_EQ(own["train"]["batch_size"], 128);
    EXPECT_EQ(own["train"]["epochs"], 1);
    EXPECT_EQ(own["lora"]["rank"], 16);
    EXPECT_EQ(own["lora"]["alpha"], 32);
    const LossOptions loss = default_loss_options(LossName::arpo_simpo);
    EXPECT_EQ(std::tuple(loss.beta, loss.gamma, loss.alpha), std::tuple(.1, 1.5, 1.));
    Arguments sft = train;
    sft.insert(sft.end(), {"--loss", "sft"});
    EXPECT_EQ(resolved(sft)["train"]["lr"], 2e-4);
    sft.insert(sft.end(), {"--lr", "3e-4"});
    EXPECT_EQ(resolved(sft)["train"]["lr"], 3e-4);
}

}  // namespace
}  // namespace craft
