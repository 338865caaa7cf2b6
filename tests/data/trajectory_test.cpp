#include "data/trajectory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/random_trajectory.h"

namespace craft {

namespace {

Trajectory small_trajectory() {
    Trajectory trajectory;
    trajectory.instruction.id = "i1";
    trajectory.instruction.domain = 1;
    trajectory.instruction.instruction = "Use fewer than 9 words.";
    trajectory.instruction.text = "One two.";
    trajectory.instruction.gold = {{WordCountCheck{9, Relation::less_than}}};
    trajectory.prompt = "P";
    Step step;
    step.response =
        "###THOUGHT:\nt\n###ACTION:\n###TOOLS:\n```\nword_count_check(9, 'less than')\n```\n"
        "###PLAN:\nSentence: \"One two.\"; Improvement Plan: \"Keep.\"";
    step.revision = "One.";
    step.feedback = "fine";
    step.observation = "###OBSERVATION: One.";
    step.scores = {1.0, std::nullopt, 12.5, 78.125};
    trajectory.steps = {step};
    return trajectory;
}

}  // namespace

TEST(Trajectory, Messages) {
    Trajectory trajectory = small_trajectory();
    std::vector<Message> expected = {
        {Role::user, "P"}, {Role::assistant, trajectory.steps[0].response}, {Role::user, "###OBSERVATION: One."}};
    EXPECT_EQ(trajectory.messages(), expected);
    trajectory.steps[0].observation = "";
    expected.pop_back();
    EXPECT_EQ(trajectory.messages(), expected);
}

TEST(Trajectory, JsonHasTheContractsFields) {
    const Json row = to_json(small_trajectory());
    EXPECT_EQ(row.at("id"), "i1");
    EXPECT_EQ(row.at("tools").dump(), R"J(["word_count_check(9, \"less than\")","text_eval()"])J");
    EXPECT_EQ(row.at("messages").size(), 3U);
    EXPECT_EQ(
        row.at("steps")[0].dump(),
        R"J({"thought":"t","tools":["word_count_check(9, 'less than')"],"plan":[{"sentence":"One two.","plan":"Keep."}],)J"
        R"J("revision":"One.","feedback":"fine","scores":{"s_v":1.0,"s_c":null,"s_r":12.5,"s_a":78.125}})J");
}

TEST(Trajectory, RandomOnesRoundTripThroughLines) {
    for (uint64_t item = 0; item < 300; ++item) {
        Rng rng(11, "trajectories", item);
        const Trajectory made = test::random_trajectory(rng);
        // Once through, `constraints` are read from the gold calls; from then on everything is the same.
        const Trajectory first = trajectory_from_json(parse_json(dump_line(to_json(made)), "first"), "first");
        const Trajectory second = trajectory_from_json(parse_json(dump_line(to_json(first)), "second"), "second");
        EXPECT_EQ(dump_line(to_json(first)), dump_line(to_json(made)));
        EXPECT_EQ(test::everything(second), test::everything(first));
        EXPECT_EQ(first.messages(), made.messages());
    }
}

TEST(Trajectory, WhatTheScorersSaidGoesBothWays) {
    Trajectory made = small_trajectory();
    made.steps[0].scores.quality = {{"perplexity", INFINITY, 40.5}};
    const Json row = to_json(made), &raw = row.at("steps")[0].at("scores").at("raw_quality");
    EXPECT_EQ(raw.dump(), R"({"perplexity":{"revision":null,"text":40.5}})");
    const std::vector<RawQuality> read = trajectory_from_json(row, "row").steps[0].scores.quality;
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].scorer, "perplexity");
    EXPECT_EQ(read[0].revision, INFINITY);
    EXPECT_EQ(read[0].text, 40.5);
}

// The row form of the command line, as another program writes it.
TEST(Trajectory, TheContractsFieldsAreEnough) {
    const Json row =
        parse_json(R"J({"id":"x","messages":[{"role":"user","content":"P"},{"role":"assistant","content":"R"}],)J"
                   R"J("tools":["word_count_check(9, 'less than')","text_eval( )","word_count_check(3, 'more than')"],)J"
                   R"J("steps":[{"thought":"t","tools":[],"plan":[],"revision":"v","feedback":"f","scores":{"s_a":5}}]})J",
                   "row");
    const Trajectory read = trajectory_from_json(row, "row");
    EXPECT_EQ(read.instruction.instruction, "");
    EXPECT_EQ(read.instruction.text, "");
    EXPECT_EQ(read.instruction.domain, 2);
    ASSERT_EQ(read.instruction.gold.size(), 2u);
    EXPECT_EQ(normal_form(read.instruction.gold[0][0]), "word_count_check(9, \"less than\")");
    EXPECT_EQ(normal_form(read.instruction.gold[1][0]), "word_count_check(3, \"more than\")");
    EXPECT_EQ(read.steps[0].response, "R");
    const Json written = to_json(read);
    EXPECT_EQ(written["tools"].dump(),
              R"J(["word_count_check(9, \"less than\")","word_count_check(3, \"more than\")","text_eval()"])J");
    EXPECT_EQ(dump_line(to_json(trajectory_from_json(written, "written"))), dump_line(written));

    Json phrased = row;
    phrased["phrases"] = {"under nine words", "over three words"};
    EXPECT_TRUE(trajectory_from_json(phrased, "row").instruction.phrases.empty()) << "of which constraints?";
    phrased["constraints"] = {{"word_count_check(9, 'less than')"}, {"word_count_check(3, 'more than')"}};
    EXPECT_EQ(trajectory_from_json(phrased, "row").instruction.phrases.size(), 2u);

    const auto refusal = [&](const Json& tools) {
        Json other = row;
        other["tools"] = tools;
        if (tools.is_null()) other.erase("tools");
        return message_of([&] { trajectory_from_json(other, "t.jsonl:4"); });
    };
    EXPECT_EQ(refusal(nullptr), "t.jsonl:4: field 'tools': expected a list, got none");
    EXPECT_EQ(refusal({3}), "t.jsonl:4: field 'tools': expected calls as strings, got number");
    EXPECT_EQ(refusal({"fly(3)"}).substr(0, 25), "t.jsonl:4: constraint 1: ");
}

TEST(Trajectory, BadRowsAreNamed) {
    const auto refusal = [](const std::string& pointer, const Json& value) {
        Json row = to_json(small_trajectory());
        row[Json::json_pointer(pointer)] = value;
        return message_of([&] { trajectory_from_json(row, "t.jsonl:4"); });
    };
    EXPECT_EQ(refusal("/messages", Json::array()), "t.jsonl:4: field 'messages': expected 3 messages for 1 steps, got 0");
    EXPECT_EQ(refusal("/messages/1/role", "user"),
              "t.jsonl:4: field 'messages'[1]: expected a message of the assistant, got one of the user");
    EXPECT_EQ(refusal("/steps", 3), "t.jsonl:4: field 'steps': expected a list, got number");
    EXPECT_EQ(refusal("/steps/0", 3), "t.jsonl:4: steps[0]: expected an object, got number");
    EXPECT_EQ(refusal("/steps/0/revision", 3), "t.jsonl:4: steps[0]: field 'revision': expected a string, got number");
    EXPECT_EQ(refusal("/steps/0/scores/s_v", "high"),
              "t.jsonl:4: steps[0]: field 'scores': field 's_v': expected a number or null, got string");
    EXPECT_EQ(refusal("/steps/0/scores/raw_quality", 3),
              "t.jsonl:4: steps[0]: field 'scores': field 'raw_quality': expected an object, got number");
    EXPECT_EQ(refusal("/id", nullptr), "t.jsonl:4: field 'id': expected a string, got none");
}

}  // namespace craft
