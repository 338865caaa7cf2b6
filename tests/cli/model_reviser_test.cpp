// Models that revise where the rules did: plans of a teacher (`trajectories --reviser`), and texts from which the values of
// constraints are read (`constraints --reviser`); and one that writes constraints that no program checks (`--easy`).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "tests/cli/revising_server.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using chat_server::ChatServerOptions;
using test::Arguments;
using test::run_command;
using testing::AllOf;
using testing::HasSubstr;

class ModelReviserCommands : public test::ReviseCase {
protected:
    // Instructions of the shipped texts, with what `more` says.
    test::Outcome constraints(const std::string& output, const Arguments& more) const {
        Arguments all = {"constraints",
                         "--texts",
                         test::kShare + "/texts/select.jsonl",
                         "--output",
                         at(output),
                         "--report",
                         at(output + ".report"),
                         "--config",
                         at("hosted.json")};
        all.insert(all.end(), more.begin(), more.end());
        return run_command(all);
    }
    Arguments trajectories(const std::string& out, const Arguments& more = {}) const {
        Arguments all = {"trajectories",
                         "--instructions",
                         at("instructions.jsonl"),
                         "--out",
                         at(out),
                         "--jsonl",
                         "--config",
                         at("hosted.json"),
                         "--answers",
                         at("answers"),
                         "--reviser",
                         "openai:own",
                         "--max-steps",
                         "2"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    Json manifest(const std::string& out) const { return read_json_file(folder_.path() / out / "manifest.json"); }
};

TEST_F(ModelReviserCommands, CarriesOutTheTeachersPlans) {
    auto server = std::make_unique<ChatServer>(test::revising_server());
    config(server->base_url());
    ASSERT_EQ(constraints("instructions.jsonl", {"--domain", "c1,c2", "--count", "12"}).code, 0);
    const test::Outcome outcome = run_command(trajectories("a"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json notes = manifest("a")["notes"];
    EXPECT_EQ(notes["versions"]["reviser"], "openai:own") << notes["versions"].dump();
    EXPECT_TRUE(notes["versions"]["prompts"].contains("reviser.plan.txt"));
    EXPECT_TRUE(notes["usage"]["roles"].contains("reviser"));
    EXPECT_GT(notes["counted"].value("noted: unchanged", 0), 0) << "few of the texts have the word that it takes out";
    for (const Json& row : rows("a/trajectories.jsonl"))
        for (const Json& step : row["steps"])
            EXPECT_EQ(step["revision"].get<std::string>().find(" very "), std::string::npos) << step["revision"];
    server.reset();  // every answer is recorded
    ASSERT_EQ(run_command(trajectories("b")).code, 0);
    EXPECT_EQ(rows("b/trajectories.jsonl"), rows("a/trajectories.jsonl"));
}

// What a reviser does wrong is counted under its name, and the trajectory is not stored.
TEST_F(ModelReviserCommands, WhatIsNoRevisionIsCountedAndNothingIsLost) {
    ChatServerOptions options = test::revising_server();
    options.answer = [](const Json& body, int64_t choice) -> std::string {
        const std::string asked = body.at("messages").back().at("content");
        switch (std::hash<std::string>()(asked) % 5) {
            case 0:
                return "Here is the revised text:";
            case 1:
                return "Der Text ist schon recht gut so, und daran will heute niemand mehr etwas verbessern, glaube ich.";
            case 2:
                return "Sentence: \"x\"; Improvement Plan: \"y\"";
            case 3:
                return "";
            default:
                return test::revising_answer(body, choice);
        }
    };
    const ChatServer server(options);
    config(server.base_url());
    ASSERT_EQ(constraints("instructions.jsonl", {"--domain", "c1", "--count", "40"}).code, 0);
    const test::Outcome outcome = run_command(trajectories("a"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json all = manifest("a"), store = all["notes"]["store"];
    int64_t dropped = 0;
    for (const auto& [reason, count] : all["dropped"].items()) {
        EXPECT_TRUE(reason.starts_with("unusable: ")) << reason;
        dropped += count.get<int64_t>();
    }
    EXPECT_EQ(dropped + store["trajectories"].get<int64_t>(), 40);
    for (const char* reason : {"unusable: empty", "unusable: unrelated", "unusable: echo"})
        EXPECT_TRUE(all["dropped"].contains(reason)) << reason << " of " << all["dropped"].dump();
}

TEST_F(ModelReviserCommands, RulesRefuseAHostedTeachersFreePlans) {
    ChatServerOptions options;
    options.answer = [](const Json& body, int64_t) {
        const std::string text = test::behind(body.at("messages").at(0).at("content"), "### The text\n");
        return "###THOUGHT:\nIt is long.\n###ACTION:\n###TOOLS:\n```\ntext_eval()\n```\n###PLAN:\nSentence: \"" +
               test::first_sentence(text) + "\"; Improvement Plan: \"say who did it\"";
    };
    const ChatServer server(options);
    config(server.base_url());
    ASSERT_EQ(constraints("instructions.jsonl", {"--domain", "c0", "--count", "3"}).code, 0);
    Arguments asked = trajectories("a", {"--teacher", "openai:own"});
    std::replace(asked.begin(), asked.end(), std::string("openai:own"), std::string("rules"));
    asked.back() = "openai:own";  // the teacher alone
    EXPECT_THAT(test::failure_of(asked),
                AllOf(HasSubstr("none of 3"), HasSubstr("unusable: unread_plan"), HasSubstr("--reviser SYSTEM")));
}

TEST_F(ModelReviserCommands, ConstraintsAreReadFromItsRevisions) {
    auto server = std::make_unique<ChatServer>(test::revising_server());
    config(server->base_url());
    Arguments model = {"--reviser", "openai:own", "--answers", at("answers"),           "--domain", "c1",
                       "--count",   "10",         "--set",     "mix=[0,0,1,1,0,0,0,0]", "--proof",  at("proof.jsonl")};
    const test::Outcome outcome = constraints("instructions.jsonl", model);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json made = rows("instructions.jsonl"), proofs = rows("proof.jsonl");
    ASSERT_EQ(made.size(), proofs.size());
    ASSERT_GT(made.size(), 5u);
    for (size_t i = 0; i < made.size(); ++i) EXPECT_EQ(proofs[i]["text"], test::edited(made[i]["text"])) << made[i];
    const Json report = read_json_file(folder_.path() / "instructions.jsonl.report");
    EXPECT_EQ(report["free_revisions"]["revised"], 10) << report["free_revisions"].dump();
    EXPECT_TRUE(report["usage"]["roles"].contains("reviser")) << report["usage"].dump();
    EXPECT_TRUE(report["prompts"].contains("reviser.free.txt"));
    server.reset();
    model.back() = at("again_proof.jsonl");
    ASSERT_EQ(constraints("again.jsonl", model).code, 0);
    EXPECT_EQ(rows("again.jsonl"), made);
}

TEST_F(ModelReviserCommands, WithoutAUsableRevisionConstraintsFail) {
    ChatServerOptions options;
    options.answer = [](const Json&, int64_t) {
        return std::string("Gladly! Could you please share whatever passage you would like me to polish today?");
    };
    const ChatServer server(options);
    config(server.base_url());
    const test::Outcome outcome =
        constraints("o.jsonl", {"--reviser", "openai:own", "--answers", at("answers"), "--count", "4"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("free revisions of "), HasSubstr("none of 4 (")));
    EXPECT_FALSE(std::filesystem::exists(at("o.jsonl")));
}

TEST_F(ModelReviserCommands, EasyConstraintsAreWrittenRevisedAndJudged) {
    ChatServerOptions options = test::revising_server();
    options.answer = [](const Json& body, int64_t choice) {
        const std::string asked = body.at("messages").back().at("content");
        if (asked.find("Answer with yes or no alone.") != std::string::npos) return std::string("yes");
        return test::revising_answer(body, choice);
    };
    const ChatServer server(options);
    config(server.base_url());
    const test::Outcome outcome =
        constraints("easy.jsonl", {"--easy", "openai:own", "--answers", at("answers"), "--count", "6"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json made = rows("easy.jsonl");
    ASSERT_EQ(made.size(), 6u);
    EXPECT_EQ(made[0]["constraints"][0]["kind"], "style");
    EXPECT_EQ(made[1]["constraints"][0]["kind"], "semantic");
    EXPECT_THAT(made[0]["instruction"].get<std::string>(), HasSubstr("The text reads like a notice for visitors."));
    const test::Outcome revised = run_command(revise(
        {"--method", "direct", "--reviser", "openai:own", "--input", at("easy.jsonl"), "--output", at("revised.jsonl")}));
    ASSERT_EQ(revised.code, 0) << revised.err;
    const test::Outcome judged =
        run_command({"eval", "easy", "--items", at("easy.jsonl"), "--outputs", at("revised.jsonl"), "--judge", "openai:own",
                     "--config", at("hosted.json"), "--answers", at("answers"), "--output", at("r.json")});
    ASSERT_EQ(judged.code, 0) << judged.err;
    EXPECT_EQ(read_json_file(folder_.path() / "r.json")["corpus"]["accuracy"], 1);
}

}  // namespace
}  // namespace craft
