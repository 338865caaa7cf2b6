// A signal in the middle of the work: commands with a run folder continue, others say that nothing was written. Each case
// forks before its process has computed anything, since the threads that compute do not come along.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/files.h"
#include "core/signals.h"
#include "tests/cli/rank_processes.h"
#include "tests/cli/run_command.h"
#include "tests/core/piped.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

using test::Outcome;
using test::run_command;
using testing::HasSubstr;

// Runs the command in a process of its own that gets SIGTERM when `file` is there; empty: just before.
Outcome run_stopped(const std::vector<std::string>& arguments, const std::string& log, const std::string& file = "") {
    const pid_t child = ::fork();
    if (child == 0) {
        install_signal_flags();
        if (file.empty()) ::raise(SIGTERM);
        const Outcome outcome = run_command(arguments);
        std::ofstream(log) << outcome.err;
        ::_exit(outcome.code);
    }
    if (!file.empty()) {
        while (!std::filesystem::exists(file) && ::waitpid(child, nullptr, WNOHANG) == 0) ::usleep(1000);
        ::kill(child, SIGTERM);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", read_file(log)};
}

// After the line that says what run they are of.
long rows_in(const std::string& partial) {
    const std::string kept = read_file(partial);
    return std::count(kept.begin(), kept.end(), '\n') - 1;
}

class StoppedCommand : public testing::Test {
protected:
    StoppedCommand() {
        const auto made = run_command({"constraints", "--texts", kTexts, "--count", "30", "--output", at("i.jsonl")});
        EXPECT_EQ(made.code, 0) << made.err;
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    const std::string kTexts = test_source() + "/share/texts/select.jsonl";
    TemporaryFolder folder_;
};

TEST_F(StoppedCommand, WithoutARunFolderKeepsTheOlderOutput) {
    const std::string older = read_file(at("i.jsonl"));
    const Outcome stopped = run_stopped(
        {"constraints", "--texts", kTexts, "--count", "40", "--output", at("i.jsonl"), "--overwrite"}, at("log"));
    EXPECT_EQ(stopped.code, 128 + SIGTERM);
    EXPECT_EQ(stopped.err, "warning: stopped by signal 15; no output file was written\n");
    EXPECT_EQ(read_file(at("i.jsonl")), older);
    EXPECT_EQ(folder_.count(), 2u) << "the log and the output, no half-written file";
}

// Whatever reads rows can be stopped between two of them.
TEST_F(StoppedCommand, ReadersOfRowsEndAtOnce) {
    const std::string& model = test::tiny_model();
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"tokenize", "--model", model, "--input", at("i.jsonl"), "--output", at("o")},
             {"chat", "--model", model, "--input", at("i.jsonl"), "--output", at("o")},
             {"eval", "cord", "--items", at("i.jsonl"), "--outputs", at("i.jsonl"), "--output", at("o")}}) {
        EXPECT_EQ(run_stopped(command, at("log")).code, 128 + SIGTERM) << command[0];
        EXPECT_FALSE(std::filesystem::exists(at("o"))) << command[0];
    }
}

TEST_F(StoppedCommand, WithARunFolderGoesOn) {
    const std::vector<std::string> command = {"trajectories", "--scorers", "none",   "--instructions",
                                              at("i.jsonl"),  "--out",     at("out")};
    const Outcome stopped = run_stopped(command, at("log"));
    EXPECT_EQ(stopped.code, 128 + SIGTERM);
    EXPECT_EQ(stopped.err, "warning: stopped by signal 15; progress is saved in " + at("out") + ", rerun to resume\n");
    const Outcome finished = run_command(command);
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("trajectories=30"));
    const std::string metrics = read_file(at("out") + "/metrics.jsonl");
    EXPECT_EQ(std::count(metrics.begin(), metrics.end(), '\n'), 30);
    EXPECT_THAT(metrics, HasSubstr("\"s_a\":"));
}

TEST_F(StoppedCommand, PlanGoesOnBehindItsPartialRows) {
    test::make_random_model(at("model"), test::kSmallModel);  // one that takes a while
    const std::vector<std::string> command = {"plan",     "--model",          at("model"), "--instructions", at("i.jsonl"),
                                              "--output", at("plan.jsonl"),   "--prompt",  "compact",        "--dtype",
                                              "float32",  "--max-new-tokens", "40"};  // some answers end
    const std::string partial = at("plan.jsonl.partial");
    const Outcome stopped = run_stopped(command, at("log"), partial);
    EXPECT_EQ(stopped.code, 128 + SIGTERM);
    EXPECT_THAT(stopped.err,
                HasSubstr("warning: stopped by signal 15; progress is saved in " + partial + ", rerun to resume\n"));
    EXPECT_FALSE(std::filesystem::exists(at("plan.jsonl")));
    const auto rows = rows_in(partial);
    EXPECT_GE(rows, 1);

    std::vector<std::string> other = command;
    other.back() = "39";
    EXPECT_EQ(test::failure_of(other), "1: " + partial +
                                           ": expected --max-new-tokens 40, by which these rows were made, got 39 (use the "
                                           "earlier value to resume, or --overwrite to start over)");
    std::ofstream(partial, std::ios::app) << "{\"item\":29,\"ro";  // a kill in the middle of writing
    const Outcome finished = run_command(command);
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("rows=" + std::to_string(rows)));
    EXPECT_FALSE(std::filesystem::exists(partial));
    const std::string planned = read_file(at("plan.jsonl"));
    EXPECT_EQ(planned.find("xxh64"), std::string::npos);
    std::filesystem::remove(at("plan.jsonl"));
    EXPECT_EQ(run_command(command).code, 0);
    EXPECT_EQ(read_file(at("plan.jsonl")), planned) << "as if it had not been stopped";
}

// What was computed is not computed again, and the output is that of one run.
TEST_F(StoppedCommand, ComputedRowsAreKept) {
    test::make_random_model(at("model"), test::kSmallModel);
    std::string prompts, completions, texts;
    for (int i = 0; i < 60; ++i) {
        const std::string id = "{\"id\":\"" + std::to_string(i) + "\",\"prompt\":\"abc " + std::to_string(i * 7) + "\"";
        prompts += id + "}\n";
        completions += id + ",\"completion\":\"" + std::string(static_cast<size_t>(20 + i), 'a') + "\"}\n";
    }
    for (int i = 0; i < 5000; ++i) texts += "{\"text\":\"The cat " + std::to_string(i) + " sat.\"}\n";
    const std::string prompt_file = folder_.file("prompts.jsonl", prompts);
    const std::string completion_file = folder_.file("completions.jsonl", completions);
    const std::string text_file = folder_.file("texts.jsonl", texts);
    const std::vector<std::vector<std::string>> kCommands = {
        {"generate", "--model", at("model"), "--input", prompt_file, "--temperature", "1", "--samples", "2",
         "--max-new-tokens", "40", "--batch-size", "1"},
        {"score", "--model", at("model"), "--input", completion_file, "--batch-tokens", "200"},
        {"embed", "--model", test_source() + "/share/examples/encoder", "--input", text_file, "--batch-tokens", "8"}};
    for (std::vector<std::string> command : kCommands) {
        const std::string output = at(command[0] + ".jsonl"), partial = output + ".partial";
        command.insert(command.end(), {"--output", output});
        const Outcome stopped = run_stopped(command, at("log"), partial);
        EXPECT_EQ(stopped.code, 128 + SIGTERM) << stopped.err;
        EXPECT_THAT(stopped.err, HasSubstr("progress is saved in " + partial));
        EXPECT_FALSE(std::filesystem::exists(output));
        const auto rows = rows_in(partial);
        EXPECT_GE(rows, 1) << command[0];
        EXPECT_LT(rows, command[0] == "embed" ? 5000 : command[0] == "generate" ? 16 : 60) << command[0];
        const Outcome finished = run_command(command);
        EXPECT_EQ(finished.code, 0) << finished.err;
        EXPECT_THAT(finished.err, HasSubstr("rows=" + std::to_string(rows)));
        EXPECT_FALSE(std::filesystem::exists(partial));
        const std::string resumed = read_file(output);
        EXPECT_THAT(run_command(command).err, HasSubstr("--output: expected a new file"));
        command.emplace_back("--overwrite");
        EXPECT_EQ(run_command(command).code, 0);
        EXPECT_TRUE(read_file(output) == resumed) << command[0] << ": as if it had not been stopped";
    }
}

// The same model, prompts and settings by other names; the rows lie where the output is to be now.
TEST_F(StoppedCommand, RowsGoOnWhateverTheFilesAreCalled) {
    test::make_random_model(at("model"), test::kSmallModel);
    std::string prompts;
    for (int i = 0; i < 600; ++i) prompts += "{\"prompt\":\"abc " + std::to_string(i) + "\"}\n";
    const std::string input = folder_.file("prompts.jsonl", prompts);
    const auto generate = [&](const std::string& model, const std::string& from, const std::string& to,
                              const std::vector<std::string>& more) {
        std::vector<std::string> command = {"generate", "--model",  model, "--input",          from, "--output",
                                            to,         "--device", "cpu", "--max-new-tokens", "40"};
        command.insert(command.end(), more.begin(), more.end());
        return command;
    };
    const std::vector<std::string> first = generate(at("model"), input, at("o.jsonl"), {"--greedy", "--dtype", "float32"});
    const Outcome stopped = run_stopped(first, at("log"), at("o.jsonl.partial"));
    EXPECT_EQ(stopped.code, 128 + SIGTERM) << stopped.err;
    std::filesystem::create_directory(at("moved"));
    std::filesystem::rename(at("o.jsonl.partial"), at("moved/p.jsonl.partial"));
    std::filesystem::copy(at("model"), at("copy"));
    const auto elsewhere = [&](const std::string& from, const std::vector<std::string>& more) {
        return run_command(generate(std::filesystem::relative(at("copy")).string(), from, at("moved/p.jsonl"), more));
    };
    EXPECT_THAT(
        elsewhere(input, {"--greedy", "--dtype", "bfloat16"}).err,
        HasSubstr(": expected --dtype \"float32\", by which these rows were made, got \"bfloat16\" (use the earlier "));
    EXPECT_THAT(elsewhere(folder_.file("other.jsonl", prompts + prompts), {"--greedy", "--dtype", "float32"}).err,
                HasSubstr(": expected --input \"" + input + " (xxh64:"));
    const test::PipedStdin piped(prompts);
    const Outcome finished = elsewhere("-", {"--dtype", "float32", "--temperature", "0"});
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("resuming where the command stopped"));
    EXPECT_EQ(run_command(first).code, 0);
    EXPECT_EQ(read_file(at("moved/p.jsonl")), read_file(at("o.jsonl")));
}

// The built program, as schedulers, terminals and people stop it.
class StoppedTraining : public testing::Test {
protected:
    StoppedTraining() {
        for (const int signal : kStopSignals) std::signal(signal, SIG_DFL);  // whoever started the tests may ignore some
        test::make_random_model(at("model"), test::kSmallModel);
        std::string rows;
        for (int i = 0; i < 80; ++i) {
            std::string text = "Number " + std::to_string(i);
            for (int j = 0; j < 60; ++j) text += " and the word " + std::to_string(j * i);
            rows += dump_line({{"text", text}}) + "\n";
        }
        folder_.file("data.jsonl", rows);
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    test::RankProcesses start(const std::string& out, const std::vector<std::string>& more) const {
        std::vector<std::string> arguments = {"sft",   "--model", at("model"), "--data", at("data.jsonl"),
                                              "--out", at(out),   "--device",  "cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return {1, arguments, folder_.path()};
    }
    std::string adapter(const std::string& out) const { return read_file(at(out) + "/adapter/adapter_model.safetensors"); }
    const std::vector<std::string> kShort = {"--batch-size", "4", "--micro-batch-tokens", "1000", "--set", "data.count=40"};
    TemporaryFolder folder_;
};

TEST_F(StoppedTraining, GoesOnBehindEachSignal) {
    EXPECT_EQ(start("whole", kShort).wait()[0], 0);
    for (const int signal : {SIGUSR1, SIGHUP, SIGINT}) {
        const std::string out = "stopped-" + std::to_string(signal);
        {
            test::RankProcesses process = start(out, kShort);
            ASSERT_TRUE(test::wait_for_lines(at(out) + "/metrics.jsonl", 2)) << process.all_logs();
            process.signal(0, signal);
            EXPECT_EQ(process.wait(20)[0], 128 + signal) << process.all_logs();
            EXPECT_THAT(process.log(0), HasSubstr("progress is saved in " + at(out)));
            const size_t steps = test::rows_in(at(out) + "/metrics.jsonl").size();
            EXPECT_LT(steps, 10u);
            EXPECT_TRUE(
                std::filesystem::exists(at(out) + "/checkpoints/step-0000000" + std::to_string(steps) + ".safetensors"))
                << "the last whole step of " << steps;
        }
        EXPECT_EQ(start(out, kShort).wait()[0], 0);
        EXPECT_TRUE(adapter(out) == adapter("whole")) << "to the byte";
    }
}

TEST_F(StoppedTraining, IgnoresWhatWasIgnoredBefore) {
    std::signal(SIGHUP, SIG_IGN);  // as nohup does
    test::RankProcesses process = start("out", kShort);
    std::signal(SIGHUP, SIG_DFL);
    ASSERT_TRUE(test::wait_for_lines(at("out") + "/metrics.jsonl", 1)) << process.all_logs();
    process.signal(0, SIGHUP);
    EXPECT_EQ(process.wait()[0], 0) << process.all_logs();
}

// All examples in one micro-batch of many seconds, of which the signal leaves nothing: the run continues after its last
// step.
TEST_F(StoppedTraining, DoesNotWaitForItsMicroBatch) {
    const std::vector<std::string> one_batch = {"--batch-size", "80", "--micro-batch-tokens", "40000", "--epochs", "1"};
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto begin = now();
    EXPECT_EQ(start("whole", one_batch).wait()[0], 0);
    const auto whole = now() - begin;
    {
        test::RankProcesses process = start("out", one_batch);
        while (!std::filesystem::exists(at("out") + "/metrics.jsonl") && process.wait(0.01)[0] == -1) {}
        ::usleep(700000);  // the micro-batch begins
        const auto first = now();
        process.signal(0, SIGTERM);
        EXPECT_EQ(process.wait(30)[0], 128 + SIGTERM);
        EXPECT_LT(now() - first, std::max(std::chrono::duration_cast<std::chrono::nanoseconds>(whole / 4),
                                          std::chrono::nanoseconds(std::chrono::seconds(1))))
            << "its batch takes most of " << std::chrono::duration<double>(whole).count() << " s";
        EXPECT_EQ(read_file(at("out") + "/metrics.jsonl"), "");
    }
    EXPECT_EQ(start("out", one_batch).wait()[0], 0);
    EXPECT_TRUE(adapter("out") == adapter("whole")) << "to the byte";
}

// A command that waits for its input, as it could wait for a slow disk or a server: nothing in it looks for signals.
TEST_F(StoppedTraining, TheFirstSignalIsAnsweredAndTheSecondEndsItAtOnce) {
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    test::RankProcesses process(
        1, {"tokenize", "--model", at("model"), "--input", at("pipe"), "--output", at("tokens"), "--quiet"}, folder_.path());
    const auto now = [] { return std::chrono::steady_clock::now(); };
    int writer = -1;  // can be opened when somebody reads
    while (writer < 0 && process.wait(0.01)[0] == -1) writer = ::open(at("pipe").c_str(), O_WRONLY | O_NONBLOCK);
    ASSERT_GE(writer, 0) << process.log(0);
    const auto first = now();
    process.signal(0, SIGTERM);
    process.signal(0, SIGTERM);  // as `timeout` does: to the process, and to its group
    const std::string answer = "warning: stopping; send it again to stop at once\n";
    const auto is_answered = [&] { return process.log(0).find(answer) != std::string::npos; };
    while (!is_answered() && now() - first < std::chrono::seconds(5) && process.wait(0.01)[0] == -1) {}
    EXPECT_TRUE(is_answered()) << process.log(0);
    EXPECT_LT(now() - first, std::chrono::seconds(1));
    ASSERT_EQ(process.wait(0)[0], -1) << "nobody writes to the pipe";
    const auto second = now();
    process.signal(0, SIGINT);
    EXPECT_EQ(process.wait(5)[0], 128 + SIGINT);
    EXPECT_LT(now() - second, std::chrono::seconds(1));
    ::close(writer);
}

}  // namespace
}  // namespace craft
