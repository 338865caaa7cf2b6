// The quickstart command on both configurations that ship, with next to no data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/files.h"
#include "tests/align/tiny_planner.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Quickstart, AFinishedRunSaysTheSameAgain) {
    const TemporaryFolder model;
    test::make_tiny_planner(model.path());
    for (const std::string configuration : {"quickstart", "quickstart-full", "quickstart-smoke"}) {
        const TemporaryFolder folder;
        const std::string out = (folder.path() / "run").string();
        const test::Arguments command = {"quickstart",
                                         "--model",
                                         model.path().string(),
                                         "--config",
                                         test_source() + "/configs/" + configuration + ".json",
                                         "--iter",
                                         "1",
                                         "--set",
                                         "data.trajectories=6",
                                         "--set",
                                         "data.selection=3",
                                         "--set",
                                         "data.dev=3",
                                         "--set",
                                         "data.others=2",
                                         "--set",
                                         "data.test=0",
                                         "--set",
                                         "sft.epochs=1",
                                         "--set",
                                         "sampling.max_new_tokens=16",
                                         "--set",
                                         "rounds.instructions=4",
                                         "--out",
                                         out};
        const test::Outcome first = test::run_command(command), again = test::run_command(command);
        ASSERT_EQ(first.code, 0) << first.err;
        EXPECT_THAT(first.out,
                    testing::AllOf(HasSubstr("round-1"), HasSubstr("c4: constraint F1"), HasSubstr(out + "/summary.json"),
                                   HasSubstr("What to try next"), HasSubstr("What was learned, in constraint F1\n  SFT is "),
                                   Not(HasSubstr("test: "))));
        EXPECT_EQ(again.code, 0);
        EXPECT_EQ(again.out, first.out);
        EXPECT_THAT(again.err, testing::AllOf(HasSubstr("already finished"), Not(HasSubstr("training: "))));
    }
}

// A planner that babbles: the sealed set is not for looking at what a real one makes of it.
TEST(Quickstart, TheSealedSetHasRowsOfItsOwnUnderTheTable) {
    const TemporaryFolder folder;
    test::make_tiny_planner(folder.path() / "model");
    test::Arguments command = {"quickstart", "--model", (folder.path() / "model").string(), "--iter", "1", "--prompt",
                               "compact",    "--out",   (folder.path() / "run").string()};
    for (const char* setting : {"data.trajectories=6", "data.selection=3", "data.dev=3", "data.others=0", "data.test=10",
                                "sft.epochs=1", "sampling.max_new_tokens=6", "rounds.instructions=4", "rounds.control=true"})
        command.insert(command.end(), {"--set", setting});
    const test::Outcome first = test::run_command(command), again = test::run_command(command);
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.out, testing::AllOf(HasSubstr("\ntest: sft "), HasSubstr("\ntest: best "),
                                          HasSubstr("(test: 10 sealed instructions")));
    EXPECT_EQ(again.out, first.out);
}

// What a round learns from, and what it is compared with, are the rounds' own settings as of `align --iter`.
TEST(Quickstart, RoundsLearnAsTheirSettingsSay) {
    const TemporaryFolder folder;
    test::make_tiny_planner(folder.path() / "model");
    const auto run = [&](const std::string& name, const test::Arguments& more) {
        const std::filesystem::path out = folder.path() / name;
        test::Arguments command = {"quickstart", "--model",     (folder.path() / "model").string(),
                                   "--iter",     "1",           "--prompt",
                                   "compact",    "--reference", "base",
                                   "--out",      out.string()};
        for (const char* setting :
             {"data.trajectories=6", "data.selection=3", "data.dev=3", "data.others=0", "data.test=0", "sft.epochs=1",
              "sft.lr=1e-3", "sampling.max_new_tokens=6", "rounds.instructions=8", "rounds.min_gap=0",
              "rounds.history_steps=1", "rounds.control=true", "rounds.train.epochs=2"})
            command.insert(command.end(), {"--set", setting});
        command.insert(command.end(), more.begin(), more.end());
        const test::Outcome outcome = test::run_command(command);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(outcome.out, testing::AllOf(HasSubstr("\nround-1 "), HasSubstr("\ncontrol ")));
        return out;
    };
    const std::filesystem::path groups = run("groups", {"--method", "rloo", "--set", "grpo.beta=0.05"});
    const std::filesystem::path round = groups / "align/round-1";
    EXPECT_TRUE(std::filesystem::exists(round / "pairs/groups.jsonl"));
    EXPECT_FALSE(std::filesystem::exists(round / "pairs/pairs.jsonl"));
    const Json step = JsonLinesReader((round / "train/metrics.jsonl").string()).next().value();
    EXPECT_GT(step.at("kl").get<double>(), 0) << "SFT has moved the planner away from the base";
    EXPECT_FALSE(read_json_file(groups / "manifest.json").at("notes").contains("loss"));

    const std::filesystem::path pairs = run("pairs", {"--set", "rounds.loss=dpo"});
    EXPECT_EQ(read_json_file(pairs / "align/round-1/train/reference.json").at("reference"), "base");
    const Json loss = read_json_file(pairs / "manifest.json").at("notes").at("loss");
    EXPECT_EQ(loss.at("name"), "dpo");
    EXPECT_EQ(loss.at("reference"), "base");
}

TEST(Quickstart, WithoutRoundsThereIsSftAlone) {
    const TemporaryFolder folder;
    test::make_tiny_planner(folder.path() / "model");
    test::Arguments command = {"quickstart", "--model", (folder.path() / "model").string(), "--iter", "0", "--prompt",
                               "compact",    "--out",   (folder.path() / "run").string()};
    for (const char* setting : {"data.trajectories=6", "data.selection=3", "data.dev=3", "data.others=0", "data.test=10",
                                "sft.epochs=1", "sft.lr=1e-3", "sampling.max_new_tokens=6", "rounds.control=true"})
        command.insert(command.end(), {"--set", setting});
    const test::Outcome outcome = test::run_command(command);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, testing::AllOf(HasSubstr("\nsft *"), HasSubstr("\ntest: sft "),
                                            testing::Not(HasSubstr("round")), testing::Not(HasSubstr("control"))));
}

}  // namespace
}  // namespace craft
