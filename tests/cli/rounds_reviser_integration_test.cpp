// align --iter with a hosted model that carries the plans out.
#include <gmock/gmock.h>

#include <set>

#include "tests/cli/tiny_rounds.h"

namespace craft {
namespace {

using testing::HasSubstr;

using RoundsReviser = test::TinyRounds;

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

// The whole of CRAFT §5.1.2 with models in every role: values read from a model's revisions, its wordings, its revisions by
// plans, its suggestions in the histories.
TEST_F(RoundsReviser, ModelsPlayEveryRoleOfARound) {
    const chat_server::ChatServer server(test::revising_server());
    config(server.base_url());
    const test::Arguments roles = {"--rewriter",     "openai:own", "--text-feedback",
                                   "grammaticality", "--set",      "rounds.values=reviser",
                                   "--set",          "dev_count=8"};
    const test::Outcome outcome = test::run_command(align("all", roles));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json round = summary("all")["stages"][1];
    EXPECT_EQ(round["name"], "round-1");
    const Json counted = round["counted"];
    EXPECT_EQ(counted.value("free revision: revised", 0), 8) << counted.dump();
    EXPECT_GT(counted.value("rewriting: taken", 0), 0) << counted.dump();
    EXPECT_GT(counted.value("feedback: suggestions", 0), 0) << counted.dump();
    EXPECT_TRUE(round["pairs_by_step"].contains("2")) << round.dump();
    EXPECT_THAT(read_file(folder_.path() / "all/round-1/histories/histories.jsonl"), HasSubstr("Grammar: "));
    int64_t reworded = 0;
    JsonLinesReader instructions(at("all/round-1/instructions/instructions.jsonl"));
    while (const auto row = instructions.next()) reworded += (*row)["wording"] == "model" ? 1 : 0;
    EXPECT_EQ(reworded, counted["rewriting: taken"]);
    const Json notes = read_json_file(folder_.path() / "all/manifest.json")["notes"];
    for (const char* role : {"reviser", "rewriter", "feedback"}) EXPECT_TRUE(notes["usage"]["roles"].contains(role)) << role;
    EXPECT_TRUE(notes["assets"]["prompts"].contains("reviser.free.txt")) << notes["assets"].dump();
    // Nothing is asked for twice.
    const int64_t asked = server.counts().good;
    ASSERT_EQ(test::run_command(align("again", roles)).code, 0);
    EXPECT_EQ(server.counts().good, asked);
    EXPECT_EQ(read_file(folder_.path() / "again/round-1/pairs/pairs.jsonl"),
              read_file(folder_.path() / "all/round-1/pairs/pairs.jsonl"));
}

// A row of ready instructions whose gold is not what its words ask for is told by its line; nothing of it is trained on.
TEST_F(RoundsReviser, ReadyInstructionsThatContradictThemselvesAreBadLines) {
    const chat_server::ChatServer server(test::revising_server());
    config(server.base_url());
    const test::Outcome made = test::run_command({"constraints", "--texts", at("texts.jsonl"), "--domain", "c1,c2",
                                                  "--count", "60", "--output", at("ready.jsonl"), "--seed", "4"});
    ASSERT_EQ(made.code, 0) << made.err;
    const std::string ready = read_file(folder_.path() / "ready.jsonl");
    const Json contradictory = {{"id", "wrong"},
                                {"domain", "c1"},
                                {"instruction", "Please polish the text in at most 45 words:"},
                                {"text", "It was so. It was late."},
                                {"constraints", Json::array({Json::array({"word_count_check(46, \"more than\")"})})}};
    const Json evaluated = {{"id", "c4"},
                            {"domain", "c4"},
                            {"instruction", "Please polish the text:"},
                            {"text", "It was so. It was late."},
                            {"constraints", Json::array()}};
    folder_.file("mixed.jsonl", dump_line(contradictory) + "\n" + dump_line(evaluated) + "\n" + ready);
    EXPECT_THAT(test::failure_of(on_instructions("refused", "mixed.jsonl")),
                HasSubstr("mixed.jsonl:1: the instruction and its gold calls disagree (another limit)"));
    const test::Outcome outcome = test::run_command(on_instructions("m", "mixed.jsonl", {"--skip-bad-lines"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json dropped = read_json_file(folder_.path() / "m/manifest.json")["dropped"];
    EXPECT_EQ(dropped["bad line"], 1) << dropped.dump();
    EXPECT_EQ(dropped["c4 is for evaluation only"], 1) << dropped.dump();
    // Rounds and the sets that choose and report share no text.
    std::set<std::string> trained;
    JsonLinesReader rows(at("m/round-1/instructions/instructions.jsonl"));
    while (const auto row = rows.next()) trained.insert((*row)["id"]);
    EXPECT_EQ(trained.size(), 8u);
    for (const char* set : {"m/start/dev/items.jsonl", "m/start/selection/items.jsonl"}) {
        JsonLinesReader items(at(set));
        while (const auto row = items.next()) EXPECT_FALSE(trained.contains((*row)["id"])) << *row;
    }
}

TEST_F(RoundsReviser, ARoundWithoutAUsableRevisionEndsWithExit1) {
    chat_server::ChatServerOptions options = test::revising_server();
    options.answer = [](const Json&, int64_t) { return std::string("Here is the revised text:"); };
    const chat_server::ChatServer server(options);
    config(server.base_url());
    const std::string line = test::failure_of(align("none"));
    EXPECT_THAT(line, testing::StartsWith("1: "));
    EXPECT_THAT(line, HasSubstr("sampled responses of round-1: expected a usable answer, got none of 24 ("));
    EXPECT_THAT(line, HasSubstr("empty "));
}

}  // namespace
}  // namespace craft
