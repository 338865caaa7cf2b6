// What goes with --method of align's rounds, and what does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/cli/run_command.h"

namespace craft {
namespace {

using testing::HasSubstr;

test::Outcome dump_of(const std::vector<std::string>& more) {
    std::vector<std::string> command = {"align", "--iter", "1", "--dump-config"};
    command.insert(command.end(), more.begin(), more.end());
    return test::run_command(command);
}

TEST(RoundMethod, GroupsHaveOptionsOfTheirOwn) {
    const test::Outcome dump = dump_of(
        {"--method", "rloo", "--reference", "base", "--set", "grpo.beta=0.01", "--set", "grpo.normalisation=dr_grpo"});
    ASSERT_EQ(dump.code, 0) << dump.err;
    const Json config = parse_json(dump.out, "configuration");
    EXPECT_EQ(config["rounds"]["method"], "rloo");
    EXPECT_EQ(config["loss"]["reference"], "base");
    EXPECT_EQ(config["grpo"]["epsilon_high"], 0.2);
    EXPECT_EQ(config["grpo"]["normalisation"], "dr_grpo");
    EXPECT_EQ(parse_json(dump_of({}).out, "configuration")["rounds"]["method"], "pairs");
}

TEST(RoundMethod, WhatWouldDoNothingIsRefusedOrWarnedOf) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
        {{"--method", "grpo", "--reference", "base"}, "--reference: expected grpo.beta above 0, got 0"},
        {{"--set", "grpo.beta=0.01"}, "grpo.beta: expected with --method grpo, rloo or dr_grpo, got --method pairs"},
        {{"--method", "grpo", "--judge", "rules", "--guideline", "g.txt"},
         "--method grpo: expected with --judge scores, got --judge rules"},
        {{"--method", "grpo", "--set", "rounds.mean=true"}, "rounds.mean: expected without --method"},
        {{"--method", "grpo", "--set", "train.part_norms_every=5"}, "train.part_norms_every: expected without --method"},
        {{"--loss", "dpo", "--set", "train.part_norms_every=5"}, "train.part_norms_every: expected a loss of two parts"},
        {{"--method", "grpo", "--set", "grpo.epsilon_low=0"}, "grpo.epsilon_low: expected"}};
    for (const auto& [options, problem] : refused) {
        const test::Outcome outcome = dump_of(options);
        EXPECT_EQ(outcome.code, 2) << problem;
        EXPECT_THAT(outcome.err, HasSubstr(problem));
    }
    for (const std::vector<std::string>& idle :
         {std::vector<std::string>{"--loss", "simpo"}, {"--set", "rounds.min_gap=2"}}) {
        std::vector<std::string> options = {"--method", "dr_grpo"};
        options.insert(options.end(), idle.begin(), idle.end());
        const test::Outcome outcome = dump_of(options);
        EXPECT_EQ(outcome.code, 0);
        EXPECT_THAT(outcome.err, HasSubstr("it has no effect"));
    }
}

}  // namespace
}  // namespace craft
