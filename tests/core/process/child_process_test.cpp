#include "core/process/child_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/files.h"
#include "core/signals.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

ChildOptions shell(const std::string& script) {
    ChildOptions options;
    options.arguments = {"/bin/sh", "-c", script};
    options.has_pipes = false;
    return options;
}

// Whoever adopts a process takes its end over in a moment: until then it is a zombie, which takes no signal either.
bool is_gone(pid_t process) {
    bool gone = false;
    for (int i = 0; i < 1000 && !gone; ++i) {
        std::string state;
        try {
            state = read_file("/proc/" + std::to_string(process) + "/stat");
        } catch (const std::exception&) {
            gone = true;
        }
        gone = gone || state.find(") Z ") != std::string::npos;
        if (!gone) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return gone;
}

TEST(ChildProcesses, SayHowTheyEnded) {
    ChildProcess three(shell("exit 3"));
    const auto end = three.wait(10);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->text(), "exit code 3");
    ChildProcess killed(shell("kill -9 $$"));
    EXPECT_EQ(killed.wait(10)->text(), "signal 9");
    ChildOptions none;
    none.arguments = {"/no/such/program"};
    EXPECT_EQ(message_of([&] { const ChildProcess child(none); }),
              "/no/such/program: cannot be started: No such file or directory");
}

TEST(ChildProcesses, AreKilledWithWhatTheyStarted) {
    const TemporaryFolder folder;
    const std::string pid_file = (folder.path() / "pid").string();
    {
        ChildProcess child(
            shell("sleep 100 & echo $! > " + pid_file + ".new; mv " + pid_file + ".new " + pid_file + "; wait"));
        while (!std::filesystem::exists(pid_file)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        EXPECT_FALSE(child.wait(0.01)) << "it still runs";
    }
    EXPECT_TRUE(is_gone(std::stoi(read_file(pid_file))));
}

// Killed without a chance to clean up: what we started must not continue, the command of a pipeline as little as its shell.
TEST(ChildProcesses, AreKilledWhenWeAre) {
    const TemporaryFolder folder;
    const std::string pid_file = (folder.path() / "pid").string();
    std::filesystem::create_directories(folder.path() / "own" / "sub");
    const pid_t parent = ::fork();
    if (parent == 0) {
        ChildOptions options =
            shell("sleep 100 & echo $! > " + pid_file + ".new; mv " + pid_file + ".new " + pid_file + "; wait");
        options.folder = folder.path() / "own";
        options.removes_folder_if_killed = true;
        const ChildProcess child(options);
        while (true) ::pause();
    }
    while (!std::filesystem::exists(pid_file)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const pid_t grandchild = std::stoi(read_file(pid_file));
    EXPECT_EQ(::kill(grandchild, 0), 0);
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    EXPECT_TRUE(is_gone(grandchild));
    for (int i = 0; i < 1000 && std::filesystem::exists(folder.path() / "own"); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "own"));
    EXPECT_TRUE(std::filesystem::exists(pid_file)) << "nothing else is removed";
}

TEST(ChildProcesses, HaveLimitsAndAFolderAndAnEnvironment) {
    const TemporaryFolder folder;
    ChildOptions options = shell(
        "echo $NAME-$HOME > seen; ulimit -t >> seen; ulimit -v >> seen; ulimit -c >> seen; "
        "head -c 100000 /dev/zero > big; exit 0");
    options.folder = folder.path();
    options.environment = {"NAME=value", "PATH=/usr/bin:/bin"};
    options.file_bytes = 4096;
    options.cpu_seconds = 7;
    options.memory_bytes = int64_t{1} << 30;
    ChildProcess child(options);
    ASSERT_TRUE(child.wait(60));
    EXPECT_EQ(std::filesystem::file_size(folder.path() / "big"), 4096u);
    EXPECT_EQ(read_file(folder.path() / "seen"), "value-\n7\n1048576\n0\n");
}

TEST(ChildProcesses, SeeNoFileOfOurs) {
    const TemporaryFolder folder;
    std::FILE* ours = std::fopen(folder.file("secret", "x").c_str(), "r");  // not closed on exec
    ChildOptions options = shell("ls -l /proc/self/fd > fds");
    options.folder = folder.path();
    ChildProcess child(options);
    ASSERT_TRUE(child.wait(10));
    std::fclose(ours);
    EXPECT_EQ(read_file(folder.path() / "fds").find("secret"), std::string::npos);
}

// What we ignore for ourselves ends other programs, as they expect; what was ignored before us they leave ignored.
TEST(ChildProcesses, HaveTheirOwnSignals) {
    const TemporaryFolder folder;
    const std::string status = (folder.path() / "status").string();
    std::signal(SIGHUP, SIG_IGN);
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
    ChildProcess child(shell("exec cat /proc/self/status > " + status));
    ASSERT_TRUE(child.wait(10));
    for (const int signal : {SIGHUP, SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
    const std::string text = read_file(status);
    const uint64_t ignored = std::stoull(text.substr(text.find("SigIgn:") + 7), nullptr, 16);
    const auto bit = [](int signal) { return uint64_t{1} << (signal - 1); };
    EXPECT_EQ(ignored & (bit(SIGHUP) | bit(SIGPIPE) | bit(SIGXFSZ)), bit(SIGHUP));
}

// Slurm sends a job's signals to all of its processes. Whoever ends a child when we are killed must not go before.
TEST(ChildProcesses, TheirWatchersDoNotStopBySignal) {
    ChildProcess child(shell("sleep 100"));
    pid_t watcher = 0;
    for (int i = 0; i < 1000 && watcher == 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
            std::ifstream status(entry.path() / "status");
            const std::string text((std::istreambuf_iterator<char>(status)), {});
            if (text.find("Name:\tcraft-watcher\n") != std::string::npos &&
                text.find("\nPPid:\t" + std::to_string(::getpid()) + "\n") != std::string::npos)
                watcher = std::stoi(entry.path().filename().string());
        }
    }
    ASSERT_NE(watcher, 0);
    for (const int signal : kStopSignals) ::kill(watcher, signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(::waitpid(watcher, nullptr, WNOHANG), 0) << "it lives";
}

}  // namespace
}  // namespace craft
