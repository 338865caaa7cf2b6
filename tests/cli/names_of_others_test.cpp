// Names of TRL, axolotl and LLaMA-Factory are answered with what they are called here.
#include "cli/names_of_others.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using test::run_command;
using testing::Contains;

std::vector<std::string> errors_of(test::Arguments command, const test::Arguments& more) {
    command.insert(command.end(), more.begin(), more.end());
    return run_command(command).errors();
}

TEST(NamesOfOthers, AreAnsweredOnTheCommandLine) {
    const test::Arguments sft = {"sft"};
    EXPECT_THAT(errors_of(sft, {"--learning-rate", "1e-4"}), Contains("--learning-rate is --lr here"));
    EXPECT_THAT(errors_of(sft, {"--learning_rate=1e-4"}), Contains("--learning_rate is --lr here"));
    EXPECT_THAT(errors_of(sft, {"--lora-r", "8"}), Contains("--lora-r is --lora-rank here"));
    EXPECT_THAT(errors_of(sft, {"--output_dir", "o"}), Contains("--output_dir is --out here"));
    EXPECT_THAT(errors_of({"generate"}, {"--output-dir", "o"}), Contains("--output-dir is --output here"));
    EXPECT_THAT(errors_of(sft, {"--load-in-4bit"}), Contains("--load-in-4bit is --quantize nf4 here"));
    EXPECT_THAT(errors_of(sft, {"--dataset", "d"}), Contains("--dataset is --data here"));
    EXPECT_THAT(errors_of({"align"}, {"--dataset", "d"}), Contains("--dataset is --pairs or --texts here"));
    EXPECT_THAT(errors_of(sft, {"--weight-decay", "0.1"}), Contains("--weight-decay is --set train.weight_decay here"));
    EXPECT_THAT(errors_of(sft, {"--gradient-checkpointing"}),
                Contains("--gradient-checkpointing is --recompute-layers -1 here"));
    EXPECT_THAT(errors_of(sft, {"--warmup_ratio", "0.1"}),
                Contains("--warmup_ratio is --set train.warmup here (below 1 it is a share of the steps)"));
    EXPECT_THAT(errors_of(sft, {"--report-to", "wandb"}),
                Contains("--report-to is no option here: runs write metrics.jsonl, and TensorBoard events under tb/"));
}

TEST(NamesOfOthers, AreAnsweredInConfigurations) {
    const TemporaryFolder folder;
    const std::string file =
        folder.file("c.json", R"({"learning_rate": 1e-4, "training": {"lora_alpha": 4}, "bf16": true, "logging_steps": 1})");
    const std::vector<std::string> errors = errors_of({"sft"}, {"--config", file, "--set", "lora_r=8"});
    EXPECT_THAT(errors, Contains(file + ": learning_rate is train.lr here"));
    EXPECT_THAT(errors, Contains(file + ": training.lora_alpha is lora.alpha here"));
    EXPECT_THAT(errors, Contains(file + ": bf16 is dtype=bfloat16 here"));
    EXPECT_THAT(errors, Contains(file + ": logging_steps is no option here: metrics.jsonl has every step"));
    EXPECT_THAT(errors, Contains("--set: lora_r is lora.rank here"));
}

TEST(NamesOfOthers, AreNotOfferedWhereThereIsNoSuchOption) {
    EXPECT_THAT(errors_of({"chat"}, {"--learning-rate", "1"}),
                Contains("unknown option '--learning-rate' (--help lists the known ones)"));
    EXPECT_THAT(errors_of({"chat"}, {"--report-to", "x"}),
                Contains("unknown option '--report-to' (--help lists the known ones)"));
}

Json configuration_of(const test::Arguments& command) {
    test::Arguments asked = command;
    asked.emplace_back("--dump-config");
    const test::Outcome outcome = run_command(asked);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return parse_json(outcome.out.substr(outcome.out.find("{\n")), "configuration");
}

bool has_key(const Json& tree, const std::string& key) {
    const size_t dot = key.find('.');
    if (dot == std::string::npos) return tree.contains(key);
    return tree.contains(key.substr(0, dot)) && has_key(tree[key.substr(0, dot)], key.substr(dot + 1));
}

// Each row has a command that trains and has what it names, and the answer there is not empty.
TEST(NamesOfOthers, NameOptionsThatThereAre) {
    const std::vector<test::Arguments> trainings = {{"sft", "--model", "m", "--data", "d", "--out", "o"},
                                                    {"align", "--model", "m", "--pairs", "p", "--out", "o"},
                                                    {"quickstart", "--model", "m", "--out", "o"}};
    std::vector<Json> configurations;
    for (const test::Arguments& command : trainings) configurations.push_back(configuration_of(command));
    configurations.push_back(configuration_of({"generate", "--model", "m", "--input", "i", "--output", "o"}));
    EXPECT_GE(names_of_others().size(), 32u);
    for (const NameOfOthers& one : names_of_others()) {
        std::vector<std::string> keys = one.keys;
        if (keys.empty()) keys.push_back(one.where);
        for (const std::string& key : keys)
            EXPECT_TRUE(
                std::any_of(configurations.begin(), configurations.end(), [&](const Json& c) { return has_key(c, key); }))
                << one.name << " is said to be " << key;
        EXPECT_TRUE(one.keys.empty() ? !one.note.empty() : one.where.empty()) << one.name;
        EXPECT_EQ(std::count_if(names_of_others().begin(), names_of_others().end(),
                                [&](const NameOfOthers& other) { return other.name == one.name; }),
                  1)
            << one.name;
    }
}

}  // namespace
}  // namespace craft
