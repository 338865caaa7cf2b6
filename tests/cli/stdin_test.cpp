// Runs that read stdin: what came is kept for the run, and decides whether it is the same run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/command_inputs.h"
#include "tests/core/piped.h"

namespace craft::test {
namespace {

class RunsOnStdin : public CommandInputs {
protected:
    Outcome run_with(const std::string& input) {
        const PipedStdin piped(input);
        return run_command({"trajectories", "--instructions", "-", "--out", dir() + "/out", "--scorers", "none"});
    }
};

TEST_F(RunsOnStdin, TheInputIsPartOfTheRun) {
    EXPECT_EQ(run_with(kInstruction).code, 0);
    const Json manifest = read_json_file(dir() + "/out/manifest.json");
    EXPECT_EQ(manifest["notes"]["store"]["instructions"], 1) << "read, though it was hashed before";
    EXPECT_EQ(manifest["data_hashes"]["-"], file_hash(folder_.path() / "instructions.jsonl"));

    const Outcome again = run_with(kInstruction);
    EXPECT_EQ(again.code, 0);
    EXPECT_THAT(again.err, testing::HasSubstr("already finished"));

    const Outcome other = run_with(kInstruction + kInstruction);
    EXPECT_EQ(other.code, 1) << other.err;
    EXPECT_THAT(other.err, testing::HasSubstr("--instructions \"- (xxh64:"));
}

TEST_F(RunsOnStdin, AnImportReadsItTwice) {
    const auto made = run_command({"trajectories", "--instructions", dir() + "/instructions.jsonl", "--out",
                                   dir() + "/store", "--scorers", "none", "--jsonl", "--keep-wrong-calls"});
    ASSERT_EQ(made.code, 0) << made.err;
    const PipedStdin piped(read_file(dir() + "/store/trajectories.jsonl"));
    const auto imported = run_command({"trajectories", "import", "--input", "-", "--out", dir() + "/imported"});
    EXPECT_EQ(imported.code, 0) << imported.err;
    EXPECT_THAT(imported.err, testing::HasSubstr("trajectories=1"));
}

}  // namespace
}  // namespace craft::test
