// A signal in the middle of the work: commands with a run folder go on, others say that nothing was written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/files.h"
#include "core/signals.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using test::Outcome;
using test::run_command;
using testing::HasSubstr;

// Runs the command in a process of its own that got SIGTERM just before.
Outcome run_stopped(const std::vector<std::string>& arguments, const std::string& log) {
    const pid_t child = ::fork();
    if (child == 0) {
        install_signal_flags();
        ::raise(SIGTERM);
        const Outcome outcome = run_command(arguments);
        std::ofstream(log) << outcome.err;
        ::_exit(outcome.code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", read_file(log)};
}

class StoppedCommand : public testing::Test {
protected:
    StoppedCommand() {
        const auto made = run_command({"constraints", "--texts", kTexts, "--count", "30", "--output", at("i.jsonl")});
        EXPECT_EQ(made.code, 0) << made.err;
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    const std::string kTexts = std::string(CRAFT_TEST_SOURCE) + "/share/texts/select.jsonl";
    TemporaryFolder folder_;
};

TEST_F(StoppedCommand, WithoutARunFolderKeepsTheOlderOutput) {
    const std::string older = read_file(at("i.jsonl"));
    const Outcome stopped =
        run_stopped({"constraints", "--texts", kTexts, "--count", "40", "--output", at("i.jsonl")}, at("log"));
    EXPECT_EQ(stopped.code, 128 + SIGTERM);
    EXPECT_EQ(stopped.err, "warning: stopped by signal 15; no output file was written\n");
    EXPECT_EQ(read_file(at("i.jsonl")), older);
    EXPECT_EQ(folder_.count(), 2u) << "the log and the output, no half-written file";
}

TEST_F(StoppedCommand, WithARunFolderGoesOn) {
    const std::vector<std::string> command = {"trajectories", "--scorers", "none",   "--instructions",
                                              at("i.jsonl"),  "--out",     at("out")};
    const Outcome stopped = run_stopped(command, at("log"));
    EXPECT_EQ(stopped.code, 128 + SIGTERM);
    EXPECT_EQ(stopped.err, "warning: stopped by signal 15; what was done is saved, the same command goes on from there\n");
    const Outcome finished = run_command(command);
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("trajectories=30"));
}

}  // namespace
}  // namespace craft
