// A planner is asked with the prompt that it was trained with, whoever asks (planner.json).
#include <gmock/gmock.h>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/command_inputs.h"

namespace craft {
namespace {

using test::Arguments;
using test::run_command;
using test::tiny_model;

class PlannerPrompt : public test::CommandInputs {
protected:
    // An adapter trained for one step on `data`; the prompt that its folder names, or "".
    std::string trained_on(const std::string& data, const std::string& out, Arguments more = {}) {
        Arguments command = {"sft",   "--model", tiny_model(), "--data", at(data),
                             "--out", at(out),   "--lr",       "0.05",   "--quiet"};
        command.insert(command.end(), more.begin(), more.end());
        const test::Outcome outcome = run_command(command);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        const std::filesystem::path file = at(out) + "/adapter/planner.json";
        return std::filesystem::exists(file) ? read_json_file(file).at("prompt").get<std::string>() : "";
    }
    std::string planned(const Arguments& more) {
        Arguments command = {
            "plan", "--model",          tiny_model(), "--instructions", at("instructions.jsonl"), "--output",
            "-",    "--max-new-tokens", "8",          "--quiet"};
        command.insert(command.end(), more.begin(), more.end());
        const test::Outcome outcome = run_command(command);
        EXPECT_EQ(outcome.code, 1) << "eight tokens are no answer";
        EXPECT_NE(outcome.out, "");
        return outcome.out;
    }
    void make_trajectories(const std::string& prompt) {
        const test::Outcome outcome = run_command({"trajectories", "--instructions", at("instructions.jsonl"), "--scorers",
                                                   "none", "--prompt", prompt, "--out", at(prompt), "--quiet"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
};

TEST_F(PlannerPrompt, IsKeptWithTheAdapterAndTakenFromThere) {
    for (const std::string prompt : {"compact", "full"}) {
        make_trajectories(prompt);
        EXPECT_EQ(trained_on(prompt, "sft-" + prompt), prompt);
        const std::string adapter = at("sft-" + prompt) + "/adapter";
        EXPECT_EQ(planned({"--adapter", adapter}), planned({"--adapter", adapter, "--prompt", prompt})) << prompt;
        const std::string other = prompt == "full" ? "compact" : "full";
        EXPECT_NE(planned({"--adapter", adapter}), planned({"--adapter", adapter, "--prompt", other})) << prompt;
    }
    // Data that say nothing leave it as it was: with the adapter that continues, else with the model.
    EXPECT_EQ(trained_on("sft.jsonl", "on", {"--adapter", at("sft-full") + "/adapter"}), "full");
    EXPECT_EQ(trained_on("sft.jsonl", "new"), read_json_file(tiny_model() + "/planner.json").at("prompt"));
    EXPECT_EQ(planned({}), planned({"--prompt", "compact"})) << "the model's own";
    EXPECT_NE(planned({}), planned({"--prompt", "full"}));
}

TEST_F(PlannerPrompt, IsOneOfOurs) {
    make_trajectories("compact");
    trained_on("compact", "sft");
    write_file_atomic(at("sft") + "/adapter/planner.json", "{\"prompt\":\"short\"}");
    EXPECT_THAT(failure({"plan", "--model", tiny_model(), "--adapter", at("sft") + "/adapter", "--instructions",
                         at("instructions.jsonl"), "--output", "-"}),
                testing::AllOf(testing::StartsWith("1: {dir}/sft/adapter/planner.json: prompt"), testing::HasSubstr("short"),
                               testing::HasSubstr("compact")));
}

TEST_F(PlannerPrompt, AnotherVersionOfItIsSaid) {
    make_trajectories("compact");
    trained_on("compact", "sft");
    const Arguments plan = {"plan",
                            "--model",
                            tiny_model(),
                            "--adapter",
                            at("sft") + "/adapter",
                            "--instructions",
                            at("instructions.jsonl"),
                            "--output",
                            "-",
                            "--max-new-tokens",
                            "8"};
    EXPECT_THAT(run_command(plan).err, testing::Not(testing::HasSubstr("another version")));
    write_file_atomic(at("sft") + "/adapter/planner.json", R"({"prompt":"compact","version":"xxh64:0000000000000000"})");
    EXPECT_THAT(run_command(plan).err,
                testing::HasSubstr("sft/adapter was trained with the prompt 'compact' in another version"));
}

// What compares nothing learns from the chosen responses alone.
TEST_F(PlannerPrompt, PairsUnderSftAreCompletionsOfTheChosenResponses) {
    const auto adapter = [&](Arguments command, const std::string& out) {
        command.insert(command.end(),
                       {"--model", tiny_model(), "--out", at(out), "--lr", "0.01", "--epochs", "2", "--quiet"});
        const test::Outcome outcome = run_command(command);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return read_file(at(out) + "/adapter/adapter_model.safetensors");
    };
    EXPECT_EQ(adapter({"align", "--pairs", at("pairs.jsonl"), "--loss", "sft"}, "pairs"),
              adapter({"sft", "--data", at("sft.jsonl")}, "completions"));
    EXPECT_NE(adapter({"align", "--pairs", at("pairs.jsonl"), "--loss", "simpo"}, "simpo"),
              read_file(at("pairs") + "/adapter/adapter_model.safetensors"));
}

}  // namespace
}  // namespace craft
