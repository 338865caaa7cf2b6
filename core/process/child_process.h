// A program of somebody else, started with limits and ended with everything it started.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

struct ChildOptions {
    std::vector<std::string> arguments;                        // the first one is looked for on the PATH
    std::filesystem::path folder = {};                         // where it works; empty: here
    bool removes_folder_if_killed = false;                     // where we are killed, `folder` goes with all that is in it
    std::optional<std::vector<std::string>> environment = {};  // "NAME=VALUE"; absent: ours
    bool has_pipes = true;  // its stdin and stdout are ours to write and read; false: it has neither. stderr is passed on
                            // where it has pipes
    bool has_our_streams = false;  // stdin, stdout and stderr are ours, in place of that
    int64_t cpu_seconds = 0;       // of each process; 0: no limit
    int64_t memory_bytes = 0;      // of each process, its address space; 0: no limit
    int64_t file_bytes = 0;        // of each file it writes; 0: no limit
};

// How a process ended.
struct ChildEnd {
    int exit_code = -1;  // -1: by a signal
    int signal = 0;
    std::string text() const;  // "exit code 3", "signal 9"
};

// It is the leader of a process group of its own. Its signal handling is the default one, and no file of ours is open in it.
// Where we are killed ourselves, without a chance to end it, a watching process beside us kills its group. It also ends with
// the thread that started it, which therefore outlives it.
class ChildProcess {
public:
    // Throws Error with the system's reason if it cannot be started or watched.
    explicit ChildProcess(const ChildOptions& options);
    // Kills its whole group.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    // Descriptors that do not block; -1 without pipes, and of the input after close_input().
    int input() const { return input_; }
    int output() const { return output_; }
    void close_input();
    // What of `bytes` the pipe takes now: how many, or -1 with errno, EPIPE where the child reads no further. No signal
    // comes of it.
    ssize_t write(std::string_view bytes);
    // Waits at most so long; absent if it still runs. Throws Stopped if a stop signal comes.
    std::optional<ChildEnd> wait(double seconds);
    // Looks whether it has ended, and does not wait.
    std::optional<ChildEnd> ended();
    // To it alone, not to its group.
    void signal(int number);
    // How long it (its first thread) could have run and had no processor, in seconds; 0 where the system does not tell.
    double starved_seconds() const;
    // Its whole group, at once; wait() then says how it ended.
    void kill();

private:
    void start_watcher(const ChildOptions& options, int alive);
    void start(const ChildOptions& options, int alive);
    pid_t pid_ = -1;
    pid_t watcher_ = -1;
    int alive_ = -1;  // a pipe's end that is open as long as we live; the watcher has the other one
    int input_ = -1, output_ = -1;
    std::optional<ChildEnd> end_;
};

}  // namespace craft
