// --constrain-calls, on a model with random weights: what it writes has the form of a response as far as it goes.
#include <gmock/gmock.h>

#include "core/files.h"
#include "core/json.h"
#include "data/response_grammar.h"
#include "data/trajectory.h"
#include "tests/cli/command_inputs.h"

namespace craft {
namespace {

using test::Arguments;
using test::run_command;
using test::tiny_model;
using testing::HasSubstr;

class ConstrainedCalls : public test::CommandInputs {
protected:
    Json planned(const Arguments& more) {
        Arguments command = {"plan",     "--model", tiny_model(), "--instructions",   at("instructions.jsonl"),
                             "--output", "-",       "--summary",  at("summary.json"), "--max-new-tokens",
                             "40"};
        command.insert(command.end(), more.begin(), more.end());
        const test::Outcome outcome = run_command(test::replacing(command));
        log_ = outcome.err;
        const Json row = Json::parse(outcome.out);
        EXPECT_EQ(outcome.code, row.contains("cut") ? 1 : 0) << outcome.err;
        if (row.contains("cut")) {
            EXPECT_THAT(outcome.err, HasSubstr("none of 1 (cut 1)"));
            EXPECT_EQ(row["calls"], Json::array());
        }
        return row;
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    std::string log_;  // of planned()
};

// Whether a text is a response of the grammar or the beginning of one.
bool begins_a_response(const std::string& text) {
    GrammarState state = response_grammar()->start();
    return std::all_of(text.begin(), text.end(), [&](char c) { return state.advance(static_cast<uint8_t>(c)); });
}

TEST_F(ConstrainedCalls, KeepAPlannerToTheForm) {
    const Json free = planned({});
    EXPECT_FALSE(begins_a_response(free["response"])) << free.dump();
    EXPECT_THAT(log_, testing::ContainsRegex("planned responses=1 .*exact=0 .*\"heading_missing\":[1-9]"));
    EXPECT_FALSE(std::filesystem::exists(at("summary.json"))) << "no answer of this run could be used";

    const Json held = planned({"--constrain-calls"});
    EXPECT_TRUE(begins_a_response(held["response"])) << held.dump();
    EXPECT_THAT(held["response"].get<std::string>(), StartsWith("###THOUGHT:\n"));
    EXPECT_THAT(log_, HasSubstr(" unusable_calls=0 ")) << held.dump();
    EXPECT_THAT(log_, HasSubstr(held.contains("cut") ? " exact=0 " : " exact=1 ")) << "what ends is read without leniency";
}

TEST_F(ConstrainedCalls, ReachATeacherAndThePlannerOfARevision) {
    const test::Outcome made = run_command({"trajectories", "--instructions", at("instructions.jsonl"), "--out", at("store"),
                                            "--teacher", "local:" + tiny_model(), "--scorers", "none", "--max-steps", "1",
                                            "--max-new-tokens", "24", "--keep-wrong-calls", "--constrain-calls"});
    // No step of so few tokens ends: the store stays empty, and is an error that says so.
    EXPECT_EQ(made.code, 1) << made.err;
    EXPECT_THAT(made.err, HasSubstr("cut"));
    const test::Outcome revised =
        run_command({"revise", "--input", at("instructions.jsonl"), "--output", "-", "--planner", "local:" + tiny_model(),
                     "--scorers", "none", "--max-new-tokens", "24", "--constrain-calls"});
    ASSERT_EQ(revised.code, 1) << revised.err;
    const Json row = Json::parse(revised.out);
    EXPECT_TRUE(begins_a_response(row["trace"]["rounds"][0]["response"])) << row.dump();
    EXPECT_EQ(row["reason"], "cut");
}

}  // namespace
}  // namespace craft
