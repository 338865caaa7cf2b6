// What --dump-config prints, and the configuration of a manifest, are configurations.
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using test::Arguments;
using test::failure_of;
using test::Outcome;
using test::run_command;
using test::tiny_model;

const std::vector<Arguments> kCommands = {
    {"constraints", "--texts", "nowhere", "--output", "o", "--every-text"},
    {"plan", "--model", "nowhere", "--instructions", "i", "--output", "o"},
    {"trajectories", "--instructions", "nowhere", "--out", "{out}"},
    {"trajectories", "--teacher", "local:nowhere", "--instructions", "i", "--out", "{out}"},
    {"trajectories", "import", "--input", "nowhere", "--out", "{out}"},
    {"trajectories", "export", "--store", "nowhere", "--output", "o"},
    {"tokenizer", "train", "--texts", "nowhere", "--out", "{out}"},
    {"sft", "--model", "nowhere", "--data", "d", "--out", "{out}", "--full"},
    {"sft", "--model", "nowhere", "--adapter", "a", "--data", "d", "--out", "{out}"},
    {"align", "--model", "nowhere", "--pairs", "p", "--out", "{out}", "--loss", "arpo"},
    {"align", "--model", "nowhere", "--iter", "2", "--texts", "t", "--out", "{out}", "--set", "rounds.samples=6"},
    {"simplify", "train", "--model", "nowhere", "--pairs", "p", "--out", "{out}", "--loss", "sft"},
    {"simplify", "candidates", "--input", "nowhere", "--policy", "lexical", "--systems", "rules:copy", "--output", "o"},
    {"simplify", "--model", "nowhere", "--out", "{out}", "--policy", "rewriting"},
    {"simplify", "pairs", "--input", "nowhere", "--policy", "lexical", "--judge", "rules", "--output", "o"},
    {"simplify", "run", "--input", "nowhere", "--policy", "rewriting", "--model", "rules:copy", "--output", "o"},
    {"quickstart", "--model", "nowhere", "--out", "{out}"},
    {"generate", "--model", "nowhere", "--input", "i", "--output", "o"},
    {"revise", "--input", "nowhere", "--planner", "local:nowhere", "--reviser", "rules", "--output", "o"},
    {"judge", "--input", "nowhere", "--judge", "rules", "--guideline", "g", "--aspect", "a", "--output", "o"},
    {"gec", "--input", "nowhere", "--model", "rules", "--output", "o"},
    {"eval", "cord", "--items", "nowhere", "--outputs", "o"},
    {"eval", "tools", "--items", "nowhere", "--planner", "p"},
    {"eval", "metric", "bleu", "--input", "nowhere", "--tokenizer", "intl"},
};

class DumpConfig : public testing::Test {
protected:
    // The words that name the command, then `options`.
    static Arguments named(const Arguments& command, const Arguments& options) {
        Arguments all;
        for (size_t i = 0; i < command.size() && command[i][0] != '-'; ++i) all.push_back(command[i]);
        all.insert(all.end(), options.begin(), options.end());
        return all;
    }
    std::string out() const { return (folder_.path() / "out").string(); }
    TemporaryFolder folder_;
};

TEST_F(DumpConfig, TrainingAllWeightsHasARateOfItsOwn) {
    const auto lr = [&](const Arguments& options) {
        Arguments all = {"sft", "--full", "--dump-config"};
        all.insert(all.end(), options.begin(), options.end());
        const std::string dumped = run_command(all).out;
        const size_t at = dumped.find("\"lr\":");
        return dumped.substr(at, dumped.find('\n', at) - at);
    };
    EXPECT_EQ(lr({}), "\"lr\": 2e-05,  // default");
    EXPECT_EQ(lr({"--lr", "0.001"}), "\"lr\": 0.001,  // from --lr");
    const std::string file = folder_.file("c.json", R"({"train": {"lr": 2e-4}})");
    EXPECT_EQ(lr({"--config", file}), "\"lr\": 0.0002,  // from " + file) << "a given rate, though an adapter's default";
    EXPECT_NE(test::in_one_line(run_command({"sft", "--help"}).out).find("with --full 2e-5"), std::string::npos);
    EXPECT_NE(run_command({"sft", "--dump-config"}).out.find("\"lr\": 0.0002,  // default"), std::string::npos);
}

TEST_F(DumpConfig, IsTakenAsConfig) {
    for (Arguments command : kCommands) {
        for (std::string& argument : command)
            if (argument == "{out}") argument = out();
        Arguments dumping = command;
        dumping.emplace_back("--dump-config");
        const Outcome dump = run_command(dumping);
        ASSERT_EQ(dump.code, 0) << command[0] << "\n" << dump.err;
        const std::string file = folder_.file("dump.json", dump.out);
        const Outcome again = run_command(named(command, {"--config", file, "--dump-config"}));
        EXPECT_EQ(again.code, 0) << command[0] << "\n" << again.err;
        EXPECT_EQ(parse_json(again.out, "again"), parse_json(dump.out, "dump"));
        const Outcome direct = run_command(command), read = run_command(named(command, {"--config", file}));
        EXPECT_EQ(read.code, 1) << command[0] << ": the work fails on what is not there, not the usage";
        EXPECT_EQ(read.err, direct.err);
    }
}

TEST_F(DumpConfig, NeedsNoInputs) {
    for (const Arguments& command : kCommands) {
        const Outcome dump = run_command(named(command, {"--dump-config"}));
        EXPECT_EQ(dump.code, 0) << command[0] << "\n" << dump.err;
        parse_json(dump.out, "dump of " + command[0]);
    }
}

TEST_F(DumpConfig, AManifestHoldsOneToo) {
    const std::string data = folder_.file("data.jsonl", "nothing\n");
    const std::string failure =
        failure_of({"sft", "--model", tiny_model(), "--data", data, "--out", out(), "--full", "--epochs", "2"});
    EXPECT_EQ(failure.substr(0, 3 + data.size()), "1: " + data);
    const Json configuration = read_json_file(out() + "/manifest.json")["configuration"];
    const std::string file = folder_.file("config.json", configuration.dump());
    EXPECT_EQ(failure_of({"sft", "--config", file}), failure);
    EXPECT_EQ(read_json_file(out() + "/manifest.json")["configuration"], configuration);
}

}  // namespace
}  // namespace craft
