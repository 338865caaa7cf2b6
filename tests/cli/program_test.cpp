#include "cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "cli/commands.h"
#include "cli/common.h"
#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/log.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

// A command that does nothing but take options and report them as one JSON line.
struct DemoOptions {
    std::string metric;
    int64_t count = 0;
    double lr = 2e-4;
    bool full = false;
    std::vector<std::string> domains = {"c0"};
    std::optional<int64_t> limit;
    int64_t hidden = 3;
};

int run_demo(int argc, const char* const* argv);

Command demo_command() {
    return {"demo", CommandGroup::train, "show its options", "craft-train demo sari --count 3 --domain c0,c1", run_demo};
}

int run_demo(int argc, const char* const* argv) {
    DemoOptions o;
    CommonOptions common;
    OptionTable table;
    table.add("metric", o.metric, "what to compute").positional("NAME").one_of({"sari", "bleu"}).required();
    table.add("count", o.count, "how many").flag("--count").min(1).required();
    table.add("train.lr", o.lr, "peak learning rate").flag("--lr").min(0);
    table.add("train.full", o.full, "train all weights").flag("--full");
    table.add("domains", o.domains, "domains to draw from").flag("--domain").one_of({"c0", "c1", "c2"});
    table.add("limit", o.limit, "at most so many; none: no limit").flag("--limit");
    table.add("train.hidden", o.hidden, "a setting without a flag");
    const auto check = [&](OptionTable& t) {
        if (o.full && o.lr > 0.5) t.add_problem("--full and --lr over 0.5 do not go together");
    };
    if (!parse_command(demo_command(), table, common, argc, argv, check)) return 0;
    log_debug("resolved");
    write_stdout(dump_line(table.resolved()) + "\n");
    return 0;
}

int fail_with_error(int, const char* const*) {
    throw Error("a.json", "a number", "'x'", "try 1");
}
int fail_with_usage(int, const char* const*) {
    throw UsageError(std::vector<std::string>{"first", "second"});
}
int fail_with_stop(int, const char* const*) {
    throw Stopped(15);
}
int fail_with_library(int, const char* const*) {
    throw std::runtime_error("sizes differ\n#0 a stack trace");
}
int fail_with_memory(int, const char* const*) {
    throw std::runtime_error("CUDA out of memory. Tried to allocate 20.00 MiB\n#0 a stack trace");
}

// Opens a file and then writes results: the file must not have become stdout.
int open_and_print(int, const char* const*) {
    const std::string path = ::testing::TempDir() + "opened-" + std::to_string(::getpid());
    OutputFile file(path);  // never closed, so it leaves nothing
    write_stdout("results");
    return 0;
}

std::vector<Command> demo_commands() {
    return {
        {"fail error", CommandGroup::evaluate, "fails", "craft-train fail error", fail_with_error},
        {"fail usage", CommandGroup::evaluate, "fails", "craft-train fail usage", fail_with_usage},
        {"fail stop", CommandGroup::evaluate, "fails", "craft-train fail stop", fail_with_stop},
        {"fail library", CommandGroup::evaluate, "fails", "craft-train fail library", fail_with_library},
        {"fail memory", CommandGroup::evaluate, "fails", "craft-train fail memory", fail_with_memory},
        {"open", CommandGroup::evaluate, "opens a file", "craft-train open", open_and_print},
        demo_command(),
    };
}

struct ProgramOutcome {
    int code;
    std::string out, err;
};

ProgramOutcome craft_train(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "craft-train");
    configure_log({});
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int code = run_program(demo_commands(), static_cast<int>(arguments.size()), arguments.data());
    return {code, ::testing::internal::GetCapturedStdout(), ::testing::internal::GetCapturedStderr()};
}

Json resolved(const ProgramOutcome& outcome) {
    return parse_json(outcome.out, "stdout of: " + outcome.err);
}

TEST(Program, HelpGroupsTheCommands) {
    const ProgramOutcome help = craft_train({"--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("\nTrain\n  demo          show its options\n\nEvaluate\n  fail error    fails\n"),
              std::string::npos)
        << help.out;
    EXPECT_EQ(craft_train({"fail", "--help"}).out.find("demo"), std::string::npos);
}

TEST(Program, VersionIsOneLine) {
    EXPECT_EQ(craft_train({"--version"}).out, "craft-train 0.1.0\n");
}

TEST(Program, ExitCodesAndLines) {
    const ProgramOutcome error = craft_train({"fail", "error"});
    EXPECT_EQ(error.code, 1);
    EXPECT_EQ(error.err, "error: a.json: expected a number, got 'x' (try 1)\n");
    const ProgramOutcome usage = craft_train({"fail", "usage"});
    EXPECT_EQ(usage.code, 2);
    EXPECT_EQ(usage.err, "error: first\nerror: second\n");
    EXPECT_EQ(craft_train({"fail", "stop"}).code, 128 + 15);
    const ProgramOutcome library = craft_train({"fail", "library"});
    EXPECT_EQ(library.code, 1);
    EXPECT_EQ(library.err, "error: unexpected failure of a library: sizes differ\n");
    EXPECT_EQ(
        craft_train({"fail", "memory"}).err,
        "error: out of memory on the GPU (try smaller batches: --micro-batch-tokens, --batch-tokens or --batch-size)\n");
}

TEST(Program, UnknownCommandsGetAHint) {
    EXPECT_EQ(craft_train({"dem"}).err, "error: unknown command 'dem'; did you mean 'demo'?\n");
    EXPECT_EQ(craft_train({"fail", "eror"}).err, "error: unknown command 'fail eror'; did you mean 'fail error'?\n");
    EXPECT_EQ(craft_train({"fail"}).err,
              "error: incomplete command 'fail'; known: fail error, fail usage, fail stop, fail library, fail memory\n");
    EXPECT_EQ(craft_train({}).err, "error: missing command (craft-train --help lists them)\n");
    EXPECT_EQ(craft_train({"dem"}).code, 2);
}

TEST(Program, FlagsReachTheirTargets) {
    const Json values = resolved(craft_train({"demo", "sari", "--count=7", "--lr", ".5", "--full", "--domain", "c0",
                                              "--domain=c1,c2", "--limit", "-3", "--seed=9"}));
    EXPECT_EQ(values["metric"], "sari");
    EXPECT_EQ(values["count"], 7);
    EXPECT_EQ(values["train"]["lr"], 0.5);
    EXPECT_EQ(values["train"]["full"], true);
    EXPECT_EQ(values["domains"], Json({"c0", "c1", "c2"}));
    EXPECT_EQ(values["limit"], -3);
    EXPECT_EQ(values["seed"], 9);
}

TEST(Program, FlagsCanTakeTheirValueAway) {
    const Json values = resolved(craft_train(
        {"demo", "sari", "--count", "1", "--set", "train.full=true", "--full=false", "--set", "limit=4", "--limit=none"}));
    EXPECT_EQ(values["train"]["full"], false);
    EXPECT_EQ(values["limit"], nullptr);
}

TEST(Program, AllProblemsAtOnceBeforeAnyWork) {
    const ProgramOutcome outcome = craft_train(
        {"demo",  "sary",          "--lrr", "3",        "--count", "0",       "--lr=x", "--full=maybe", "--seed",
         "1",     "--seed",        "2",     "--device", "gpu",     "--dtype", "int8",   "--config",     "/nowhere.json",
         "--set", "train.hiden=4", "extra", "--limit"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    for (const char* problem : {"NAME: expected one of sari, bleu, got 'sary'; did you mean 'sari'?",
                                "unknown option '--lrr'; did you mean '--lr'?", "--count: expected at least 1, got 0",
                                "--lr: expected a number, got 'x'", "--full: expected true or false, got 'maybe'",
                                "--seed: given twice, as '1' and as '2'",
                                "--device: expected auto, cpu, cuda or cuda:N, got 'gpu'; did you mean 'cuda'?",
                                "--dtype: expected one of auto, float32, bfloat16, got 'int8'",
                                "/nowhere.json: cannot read: No such file or directory",
                                "--set: unknown key 'train.hiden'; did you mean 'train.hidden'?",
                                "unexpected argument 'extra'", "--limit: expected a value, got none"})
        EXPECT_NE(outcome.err.find(std::string("error: ") + problem), std::string::npos) << problem << "\n" << outcome.err;
    EXPECT_EQ(outcome.err.find("'3'"), std::string::npos) << "the value of an unknown option is no problem of its own";
}

TEST(Program, MissingAndContradictoryOptions) {
    EXPECT_EQ(craft_train({"demo"}).err, "error: missing NAME: what to compute\nerror: missing --count: how many\n");
    const ProgramOutcome contradiction = craft_train({"demo", "sari", "--count", "1", "--full", "--lr", "0.9"});
    EXPECT_EQ(contradiction.code, 2);
    EXPECT_EQ(contradiction.err, "error: --full and --lr over 0.5 do not go together\n");
    EXPECT_EQ(craft_train({"demo", "sari", "--count", "1", "--count", "1"}).code, 0) << "the same twice is no contradiction";
}

TEST(Program, ProblemsFollowTheLogFormat) {
    const ProgramOutcome outcome = craft_train({"demo", "sari", "--log-format", "json"});
    EXPECT_EQ(parse_json(outcome.err, "stderr")["message"], "missing --count: how many");
}

TEST(Program, DebugLinesAreShownIfAskedFor) {
    EXPECT_EQ(craft_train({"demo", "sari", "--count", "1"}).err, "");
    EXPECT_EQ(craft_train({"demo", "sari", "--count", "1", "--verbose"}).err, "debug: resolved\n");
    EXPECT_EQ(craft_train({"demo", "sari", "--count", "1", "--verbose", "--quiet"}).err, "debug: resolved\n");
}

TEST(Program, DumpedConfigurationShowsSourcesAndReadsBack) {
    const ProgramOutcome dump = craft_train({"demo", "--dump-config", "--lr", "0.5", "--set", "train.hidden=8"});
    EXPECT_EQ(dump.code, 0) << dump.err;
    EXPECT_NE(dump.out.find("\"lr\": 0.5,  // from --lr\n"), std::string::npos) << dump.out;
    EXPECT_NE(dump.out.find("\"hidden\": 8  // from --set\n"), std::string::npos);
    EXPECT_NE(dump.out.find("// count: required, not given\n"), std::string::npos);
    const std::string file = ::testing::TempDir() + "dump-" + std::to_string(::getpid()) + ".json";
    std::ofstream(file) << dump.out;
    const Json values = resolved(craft_train({"demo", "sari", "--config", file.c_str(), "--count", "1"}));
    std::filesystem::remove(file);
    EXPECT_EQ(values["train"]["lr"], 0.5);
    EXPECT_EQ(values["train"]["hidden"], 8);
    EXPECT_EQ(craft_train({"demo", "--dump-config", "--count", "0"}).code, 2) << "other problems stay problems";
}

TEST(Program, CommandHelpShowsDefaultsAndEndsWithTheExample) {
    const ProgramOutcome help = craft_train({"demo", "--lrr", "--help"});
    EXPECT_EQ(help.code, 0);
    for (const char* part :
         {"Usage: craft-train demo NAME [options]\n", "--count INTEGER                 how many (required)\n",
          "--lr NUMBER                     peak learning rate [0.0002]\n",
          "--domain c0|c1|c2,...           domains to draw from [c0]\n",
          "train.hidden INTEGER            a setting without a flag [3]\n", "--dump-config ",
          "--device STRING                 auto, cpu, cuda or cuda:N;", "--log-format text|json "})
        EXPECT_NE(help.out.find(part), std::string::npos) << part << "\n" << help.out;
    const std::string last = "\n  craft-train demo sari --count 3 --domain c0,c1\n";
    EXPECT_EQ(help.out.substr(help.out.size() - last.size()), last);
}

// Runs `craft-train ARGUMENT` with stdout in this state and returns its exit code and stderr.
ProgramOutcome with_stdout(const std::function<void()>& prepare, const char* argument = "--help") {
    ::testing::internal::CaptureStderr();
    std::fflush(stdout);
    const int saved = ::dup(STDOUT_FILENO);
    prepare();
    const std::vector<const char*> arguments = {"craft-train", argument};
    const int code = run_program(demo_commands(), 2, arguments.data());
    ::dup2(saved, STDOUT_FILENO);
    ::close(saved);
    return {code, "", ::testing::internal::GetCapturedStderr()};
}

TEST(Program, UnusableStdoutIsOneLineAndExitCodeOne) {
    const ProgramOutcome full = with_stdout([] {
        const int fd = ::open("/dev/full", O_WRONLY);
        ::dup2(fd, STDOUT_FILENO);
        ::close(fd);
    });
    EXPECT_EQ(full.code, 1);
    EXPECT_EQ(full.err, "error: stdout: cannot write: No space left on device\n");
    const ProgramOutcome broken = with_stdout([] {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        ::close(ends[0]);
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[1]);
    });
    EXPECT_EQ(broken.code, 128 + SIGPIPE) << "as other programs before | head";
    EXPECT_EQ(broken.err, "");
    const ProgramOutcome closed = with_stdout([] { ::close(STDOUT_FILENO); }, "open");
    EXPECT_EQ(closed.code, 1);
    EXPECT_EQ(closed.err, "error: stdout: cannot write: Bad file descriptor\n");
}

// The real table: each command's help ends with an example of its own whose options the command accepts.
TEST(Commands, ExamplesAreAcceptedByTheirCommands) {
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(test_source());  // examples are typed in the checkout
    for (const Command& command : commands()) {
        ASSERT_EQ(command.example.rfind("craft-train " + command.name, 0), 0u) << command.name;
        ASSERT_EQ(command.help.find('\n'), std::string::npos) << command.name;
        std::vector<std::string> words;
        std::string word;
        char quote = 0;
        for (const char c : command.example + " ") {
            if (quote == 0 && c == ' ') {
                if (!word.empty()) words.push_back(std::exchange(word, {}));
            } else if (c == '\'' || c == '"') {
                quote = quote == c ? char{0} : quote == 0 ? c : quote;
            } else {
                word += c;
            }
        }
        words.emplace_back("--dump-config");
        std::vector<const char*> arguments;
        for (const auto& argument : words) arguments.push_back(argument.c_str());
        ::testing::internal::CaptureStdout();
        ::testing::internal::CaptureStderr();
        const int code = run_program(commands(), static_cast<int>(arguments.size()), arguments.data());
        ::testing::internal::GetCapturedStdout();
        const std::string errors = ::testing::internal::GetCapturedStderr();
        EXPECT_EQ(code, 0) << command.example << "\n" << errors;
    }
    std::filesystem::current_path(before);
}

}  // namespace
}  // namespace craft
