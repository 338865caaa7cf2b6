// Every file of configs/ is read by its command; every path, name and profile in it is there, or is what a user brings.
#include "tests/cli/configurations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/cli/run_command.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::run_command;

// Keys that whoever runs an experiment has.
class Configurations : public testing::Test {
protected:
    void SetUp() override {
        for (const char* name : {"OPENAI_API_KEY", "DEEPSEEK_API_KEY"}) ::setenv(name, "EMPTY", 1);
    }
    void TearDown() override {
        for (const char* name : {"OPENAI_API_KEY", "DEEPSEEK_API_KEY"}) ::unsetenv(name);
    }
    const test::InFolder here_{test_source()};
};

// What a command needs beside a configuration of its own to say what it does.
Arguments beside(const std::string& command) {
    if (command.starts_with("simplify") && command != "simplify train") return {"--policy", "rewriting"};
    return {};
}

TEST_F(Configurations, OfCommandsAreReadByThem) {
    std::string all;
    for (const std::string& file : test::configurations()) all += read_file(test::kConfigs / file);
    size_t read = 0;
    for (const std::string& file : test::configurations()) {
        const std::string command = test::command_of(file);
        if (command == "run" || file.find('/') == std::string::npos || file.starts_with("cluster/")) continue;
        if (command.empty()) {
            EXPECT_NE(all.find(fs::path(file).filename().string() + "\""), std::string::npos)
                << file << " says no command, and no other file is based on it";
            continue;
        }
        Arguments arguments = test::words_of(command);
        const std::string resolved = read_file(test::kConfigs / file);
        if (resolved.find("\"policy\"") == std::string::npos)
            for (const std::string& more : beside(command)) arguments.push_back(more);
        arguments.insert(arguments.end(), {"--config", "configs/" + file, "--dump-config"});
        const auto outcome = run_command(arguments);
        EXPECT_EQ(outcome.code, 0) << file << ": " << outcome.err;
        ++read;
    }
    EXPECT_GE(read, 35u);
}

const std::regex kNotThere(
    "^stage ([^:]+): [^:]+: expected a file or folder, got ([^ ]+), which is not there(, nor in the Hugging Face "
    "cache)?$");

// Of an experiment's problems those that are no files which a user brings or another experiment writes.
std::vector<std::string> own_problems(const std::string& file, const test::LoadedExperiment& experiment,
                                      const std::set<std::string>& made) {
    // What a line of `grep` makes of easy.jsonl (configs/craft/easy.json).
    static const std::set<std::string> by_hand = {"runs/craft/easy/style.jsonl", "runs/craft/easy/semantic.jsonl"};
    static const std::regex model("[A-Za-z0-9-]+/[A-Za-z0-9._-]+");
    std::vector<std::string> own;
    for (const std::string& problem : experiment.problems) {
        std::smatch found;
        if (!std::regex_match(problem, found, kNotThere)) {
            own.push_back(file + ": " + problem);
            continue;
        }
        // Rows are also run domain by domain, in folders of their own (docs/reproduce.md).
        const std::string path = std::regex_replace(found[2].str(), std::regex("\\.c[0-4]/"), "/");
        const bool is_brought = path.starts_with("data/") || path.starts_with("weights/") || std::regex_match(path, model);
        bool is_made = by_hand.contains(path);
        for (fs::path at = path; !is_made && at.has_parent_path(); at = at.parent_path())
            is_made = made.contains(at.string());
        if (path.starts_with("runs/") ? !is_made : !is_brought) own.push_back(file + ": " + problem);
    }
    return own;
}

TEST_F(Configurations, OfExperimentsNameWhatIsThere) {
    std::map<std::string, test::LoadedExperiment> experiments;
    std::set<std::string> made, folders;
    for (const std::string& file : test::configurations()) {
        if (test::command_of(file) != "run") continue;
        const auto& experiment = experiments.emplace(file, file).first->second;
        const bool is_own = experiment.out.empty() || folders.insert(experiment.out.string()).second;
        EXPECT_TRUE(is_own) << file << " writes where another one does";
        for (const ExperimentStage& stage : experiment.stages)
            for (const NamedPath& output : stage.said.outputs) {
                made.insert(output.path.string());
                made.insert(output.path.string() + ".manifest.json");
            }
    }
    EXPECT_GE(experiments.size(), 85u);
    for (const auto& [file, experiment] : experiments) {
        EXPECT_FALSE(experiment.stages.empty()) << file;
        EXPECT_THAT(own_problems(file, experiment, made), testing::IsEmpty());
    }
    EXPECT_TRUE(made.contains("runs/craft/rows/without-rg/cord.json"));
}

// The numbers of CRAFT, by the sections that the files cite.
TEST_F(Configurations, HaveThePapersNumbers) {
    const auto resolved = [](const std::string& file, const std::string& command, Arguments more) {
        Arguments all = test::words_of(command);
        all.insert(all.end(), {"--config", "configs/craft/" + file, "--dump-config"});
        all.insert(all.end(), more.begin(), more.end());
        return parse_json(run_command(all).out, file);
    };
    const Json rounds = resolved("rounds-qlora.json", "align", {});
    EXPECT_EQ(rounds["rounds"]["count"], 4);
    EXPECT_EQ(rounds["rounds"]["instructions"], 2000);
    EXPECT_EQ(rounds["rounds"]["history_steps"], 5);
    EXPECT_EQ(rounds["reward"]["lambda_v"], 0.5);
    EXPECT_EQ(rounds["reward"]["lambda_r"], 0.25);
    EXPECT_EQ(rounds["reward"]["lambda_c"], 0.25);
    EXPECT_EQ(rounds["loss"]["beta"], 2.5);
    EXPECT_EQ(rounds["loss"]["gamma"], 1.375);
    EXPECT_EQ(rounds["quantize"], "nf4");
    const Json search = resolved("search.json", "revise", {});
    EXPECT_EQ(search["search"]["explore"], 0.2);
    EXPECT_EQ(search["search"]["children"], 3);
    EXPECT_EQ(search["search"]["depth"], 6);
    EXPECT_EQ(search["search"]["iterations"], 30);
    EXPECT_EQ(search["openai"]["gpt-4o"]["model"], "gpt-4o-2024-08-06");
    EXPECT_EQ(search["openai"]["gpt-4o"]["temperature"], 0.7);
}

// Overlays go over any experiment whose variables they set.
TEST_F(Configurations, OfClustersChangeHowStagesAreStarted) {
    const test::LoadedExperiment planner("craft/planner.json", {"cluster/torchrun.json", "cluster/endpoints.json"});
    EXPECT_EQ(planner.options.variables["launcher"], "torchrun --standalone --nproc-per-node 4 --no-python");
    ASSERT_EQ(planner.stages.size(), 4u);
    EXPECT_EQ(planner.stages[0].launcher.size(), 0u) << "instructions are made by one process";
    EXPECT_EQ(planner.stages[3].launcher.front(), "torchrun");
    const Json& profile = planner.stages[3].said.profiles["llama-3.1-8b"];
    EXPECT_EQ(profile["endpoints"].size(), 3u) << profile.dump();
    EXPECT_FALSE(profile.contains("base_url"));
    for (const char* script : {"one-node", "several-nodes", "preemptible", "vllm-beside"})
        EXPECT_EQ(std::system(("bash -n configs/cluster/" + std::string(script) + ".sbatch").c_str()), 0) << script;
}

}  // namespace
}  // namespace craft
