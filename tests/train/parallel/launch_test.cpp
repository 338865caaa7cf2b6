#include "train/parallel/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "core/error.h"

namespace craft {
namespace {

using Variables = std::map<std::string, std::string>;

std::optional<Launch> launch(const Variables& variables) {
    return launch_from([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

std::vector<std::string> problems(const Variables& variables) {
    try {
        launch(variables);
    } catch (const UsageError& error) {
        return error.problems();
    }
    return {};
}

const Variables kTorchrun = {
    {"RANK", "5"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "node1"}, {"MASTER_PORT", "29500"}};
const Variables kSlurm = {{"SLURM_PROCID", "5"},
                          {"SLURM_NTASKS", "8"},
                          {"SLURM_LOCALID", "1"},
                          {"SLURM_JOB_NODELIST", "node[08-11,14],gpu3"},
                          {"SLURM_JOB_ID", "123456"}};

Variables with(Variables variables, const Variables& others) {
    for (const auto& [name, value] : others) variables[name] = value;
    return variables;
}

TEST(Launch, WithoutALauncherThereIsNone) {
    EXPECT_FALSE(launch({}).has_value());
    EXPECT_FALSE(launch({{"RANK", "0"}, {"WORLD_SIZE", "1"}}).has_value());
    // salloc's shell has the job's variables, and is no task.
    EXPECT_FALSE(launch({{"SLURM_NTASKS", "8"}, {"SLURM_JOB_ID", "1"}}).has_value());
    EXPECT_FALSE(launch({{"SLURM_NTASKS", "1"}, {"SLURM_PROCID", "0"}}).has_value());
}

TEST(Launch, TorchrunStyle) {
    const auto read = launch(kTorchrun);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->rank, 5);
    EXPECT_EQ(read->size, 8);
    EXPECT_EQ(read->local_rank, 1);
    EXPECT_EQ(read->address, "node1");
    EXPECT_EQ(read->port, 29500);
    EXPECT_FALSE(read->launcher_keeps_store);
    Variables local = kTorchrun;
    local.erase("LOCAL_RANK");
    EXPECT_FALSE(launch(local)->local_rank.has_value());
    EXPECT_TRUE(launch(with(kTorchrun, {{"TORCHELASTIC_USE_AGENT_STORE", "True"}}))->launcher_keeps_store);
    EXPECT_EQ(launch(with(kSlurm, kTorchrun))->address, "node1") << "torchrun within a Slurm job";
}

TEST(Launch, Slurm) {
    const auto read = launch(kSlurm);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->rank, 5);
    EXPECT_EQ(read->size, 8);
    EXPECT_EQ(read->local_rank, 1);
    EXPECT_EQ(read->address, "node08");
    EXPECT_GE(read->port, 15000);
    EXPECT_LT(read->port, 31000);
    EXPECT_EQ(read->port, launch(kSlurm)->port);
    EXPECT_NE(read->port, launch(with(kSlurm, {{"SLURM_JOB_ID", "123457"}}))->port);
    const auto step = launch(with(kSlurm, {{"SLURM_STEP_NUM_TASKS", "6"}, {"SLURM_STEP_NODELIST", "gpu3"}}));
    EXPECT_EQ(step->size, 6);
    EXPECT_EQ(step->address, "gpu3");
    const auto given = launch(with(kSlurm, {{"MASTER_ADDR", "10.0.0.1"}, {"MASTER_PORT", "4000"}}));
    EXPECT_EQ(given->address, "10.0.0.1");
    EXPECT_EQ(given->port, 4000);
}

TEST(Launch, SaysAllThatIsWrong) {
    EXPECT_THAT(problems(with(kTorchrun, {{"RANK", "8"}})),
                testing::ElementsAre("RANK: expected a whole number from 0 to 7, got '8'"));
    EXPECT_THAT(problems(with(kTorchrun, {{"MASTER_ADDR", ""}})),
                testing::ElementsAre("MASTER_ADDR: expected the host of rank 0, got none"));
    EXPECT_THAT(problems({{"WORLD_SIZE", "2"}, {"MASTER_PORT", "99999"}}),
                testing::ElementsAre("RANK: expected a whole number from 0 to 1, got none",
                                     "MASTER_ADDR: expected the host of rank 0, got none",
                                     "MASTER_PORT: expected a whole number from 1 to 65535, got '99999'"));
    EXPECT_THAT(problems({{"RANK", "0"}}),
                testing::ElementsAre("WORLD_SIZE: expected a whole number from 1 to 1048576, got none"));
    EXPECT_THAT(problems(with(kTorchrun, {{"WORLD_SIZE", "8x"}, {"LOCAL_RANK", "6"}})),
                testing::ElementsAre("WORLD_SIZE: expected a whole number from 1 to 1048576, got '8x'",
                                     "LOCAL_RANK: expected a whole number from 0 to 5, got '6'"));
    EXPECT_THAT(problems(with(kSlurm, {{"SLURM_JOB_NODELIST", "node[08"}, {"SLURM_JOB_ID", "x"}})),
                testing::ElementsAre(testing::HasSubstr("SLURM_JOB_NODELIST: host list 'node[08'"),
                                     "SLURM_JOB_ID: expected a whole number from 0 to 2147483647, got 'x'"));
}

}  // namespace
}  // namespace craft
