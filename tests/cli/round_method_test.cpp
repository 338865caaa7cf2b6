// What goes with --method of the rounds of align and of the quickstart, and what does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/cli/run_command.h"

namespace craft {
namespace {

using test::Arguments;
using testing::HasSubstr;

test::Outcome dump_of(Arguments command, const Arguments& more) {
    command.emplace_back("--dump-config");
    command.insert(command.end(), more.begin(), more.end());
    return test::run_command(command);
}

struct RoundsOf {
    Arguments command;
    std::string loss, coefficients, train;  // where it has these options
};
// For a test's name.
void PrintTo(const RoundsOf& rounds, std::ostream* out) {
    *out << rounds.command[0];
}

class RoundMethod : public testing::TestWithParam<RoundsOf> {
protected:
    test::Outcome dump(const Arguments& more) const { return dump_of(GetParam().command, more); }
};

INSTANTIATE_TEST_SUITE_P(Commands, RoundMethod,
                         testing::Values(RoundsOf{{"align", "--iter", "1"}, "loss.name", "loss", "train"},
                                         RoundsOf{{"quickstart"}, "rounds.loss", "rounds", "rounds.train"}),
                         testing::PrintToStringParamName());

TEST_P(RoundMethod, GroupsHaveOptionsOfTheirOwn) {
    const test::Outcome told =
        dump({"--method", "rloo", "--reference", "base", "--set", "grpo.beta=0.01", "--set", "grpo.normalisation=dr_grpo"});
    ASSERT_EQ(told.code, 0) << told.err;
    const Json config = parse_json(told.out, "configuration");
    EXPECT_EQ(config["rounds"]["method"], "rloo");
    EXPECT_EQ(config[GetParam().coefficients]["reference"], "base");
    EXPECT_EQ(config["grpo"]["epsilon_high"], 0.2);
    EXPECT_EQ(config["grpo"]["normalisation"], "dr_grpo");
    EXPECT_EQ(parse_json(dump({}).out, "configuration")["rounds"]["method"], "pairs");
}

TEST_P(RoundMethod, PairsMayBeComparedWithAReference) {
    const test::Outcome told = dump({"--set", GetParam().loss + "=dpo", "--reference", "base"});
    ASSERT_EQ(told.code, 0) << told.err;
    EXPECT_EQ(parse_json(told.out, "configuration")[GetParam().coefficients]["reference"], "base");
}

TEST_P(RoundMethod, WhatWouldDoNothingIsRefusedOrWarnedOf) {
    const auto& [command, loss, coefficients, train] = GetParam();
    const std::string norms = train + ".part_norms_every";
    const std::vector<std::pair<Arguments, std::string>> refused = {
        {{"--method", "grpo", "--reference", "base"}, "--reference: expected grpo.beta above 0, got 0"},
        {{"--reference", "base"}, "dpo or --method grpo, rloo or dr_grpo, got without"},
        {{"--set", "grpo.beta=0.01"}, "grpo.beta: expected with --method grpo, rloo or dr_grpo, got --method pairs"},
        {{"--method", "grpo", "--set", "rounds.mean=true"}, "rounds.mean: expected without --method"},
        {{"--method", "grpo", "--set", norms + "=5"}, norms + ": expected without --method"},
        {{"--set", loss + "=dpo", "--set", norms + "=5"}, norms + ": expected a loss of two parts"},
        {{"--method", "ppo"}, "--method: expected one of pairs, grpo, rloo, dr_grpo, got 'ppo'"},
        {{"--method", "grpo", "--set", "grpo.epsilon_low=0"}, "grpo.epsilon_low: expected"}};
    for (const auto& [options, problem] : refused) {
        const test::Outcome outcome = dump(options);
        EXPECT_EQ(outcome.code, 2) << problem;
        EXPECT_THAT(outcome.err, HasSubstr(problem));
    }
    for (const std::string& idle : {loss + "=simpo", coefficients + ".beta=3", coefficients + ".label_smoothing=0.1",
                                    std::string("rounds.min_gap=2")}) {
        const test::Outcome outcome = dump({"--method", "dr_grpo", "--set", idle});
        EXPECT_EQ(outcome.code, 0) << idle;
        EXPECT_THAT(outcome.err, HasSubstr("it has no effect"));
    }
}

TEST_P(RoundMethod, HelpSaysWhatGoesTogether) {
    Arguments command = {GetParam().command[0]};
    if (command[0] == "align") command.emplace_back("rounds");
    command.emplace_back("--help");
    const std::string help = test::in_one_line(test::run_command(command).out);
    const std::string groups = "--method grpo, rloo or dr_grpo";
    for (const std::string& said : {"needs " + groups, "dpo or " + groups, "not with " + groups})
        EXPECT_THAT(help, HasSubstr(said));
}

TEST(RoundMethodAndJudge, VerdictsAreNoRewards) {
    const test::Outcome outcome =
        dump_of({"align", "--iter", "1"}, {"--method", "grpo", "--judge", "rules", "--guideline", "g.txt"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--method grpo: expected with --judge scores, got --judge rules"));
}

}  // namespace
}  // namespace craft
