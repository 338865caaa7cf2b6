#include "core/process/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/signals.h"

extern char** environ;

namespace craft {

namespace {

// Both ends close on exec: what the child keeps it gets by dup2.
struct Pipe {
    int read = -1, write = -1;
    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("pipe: " + std::string(std::strerror(errno)));
        read = ends[0];
        write = ends[1];
    }
    ~Pipe() {
        close(read);
        close(write);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    static void close(int& end) {
        if (end >= 0) ::close(end);
        end = -1;
    }
    static int take(int& end) { return std::exchange(end, -1); }
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
    all.push_back(nullptr);
    return all;
}

void limit(int resource, int64_t most) {
    if (most <= 0) return;
    const rlimit both{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

// A pipe without a reader sends SIGPIPE to the thread that writes, which would end us where nobody ignores it: it is held
// back and taken away again.
ssize_t write_without_signal(int end, std::string_view bytes) {
    sigset_t pipe, before, pending;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::sigpending(&pending);
    const bool was_pending = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
    const ssize_t written = ::write(end, bytes.data(), bytes.size());
    const int reason = errno;
    const timespec at_once{};
    if (written < 0 && reason == EPIPE && !was_pending) ::sigtimedwait(&pipe, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = reason;
    return written;
}

// What the child does before it becomes another program. Other threads of ours may hold locks: only what is safe in a signal
// handler is called here, and nothing is allocated.
struct ChildSetup {
    const ChildOptions& options;
    const char* folder;
    char* const* arguments;
    char* const* environment;
    int input, output, report, alive;

    [[noreturn]] void run() const {
        ::setpgid(0, 0);
        // The watcher learns the group from its leader and sees the pipe's end only when this end is gone with exec, too: it
        // kills what was started even if we are killed in between.
        const pid_t group = ::getpid();
        if (::write(alive, &group, sizeof group) != sizeof group) ::_exit(127);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // where the watcher is killed, too
        restore_default_signals();
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        limit(RLIMIT_CPU, options.cpu_seconds);
        limit(RLIMIT_AS, options.memory_bytes);
        limit(RLIMIT_FSIZE, options.file_bytes);
        const rlimit no_core{0, 0};
        ::setrlimit(RLIMIT_CORE, &no_core);
        const bool placed = options.has_our_streams || (::dup2(input, 0) >= 0 && ::dup2(output, 1) >= 0 &&
                                                        (options.has_pipes || ::dup2(output, 2) >= 0));
        ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
        if (placed && (folder[0] == '\0' || ::chdir(folder) == 0)) {
            environ = const_cast<char**>(environment);
            ::execvp(arguments[0], arguments);
        }
        const int reason = errno;
        [[maybe_unused]] const ssize_t written = ::write(report, &reason, sizeof reason);
        ::_exit(127);
    }
};

// Reads this many bytes from its standard input; false: the pipe ended before.
bool read_whole(void* bytes, size_t count) {
    ssize_t got = 0;
    do got = ::read(0, bytes, count);
    while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(count);
}

// The watcher's life, with the same restrictions. It is there before the child, which tells it its group, and waits for the
// end of the pipe: with a byte before it all went well, without one we were killed. A group of its own keeps it from the
// signals that a terminal sends to ours; those that Slurm sends to every process of a job it ignores.
[[noreturn]] void watch(int alive, const char* lost_folder) {
    ::setpgid(0, 0);
    ignore_stop_signals();
    ::prctl(PR_SET_NAME, "craft-watcher");  // who kills us by our name does not mean it
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::dup2(alive, 0) < 0) ::_exit(1);
    ::close_range(1, ~0U, 0);  // other ends of such pipes among them, which would hide the end of whoever made them
    pid_t group = 0;           // stays 0 where we were killed before there was a child
    char byte = 0;
    const bool started = read_whole(&group, sizeof group);  // one write of few bytes comes as one piece
    if (started && read_whole(&byte, 1)) ::_exit(0);
    if (started) ::killpg(group, SIGKILL);
    if (lost_folder != nullptr) ::execl("/bin/rm", "rm", "-rf", "--", lost_folder, nullptr);
    ::_exit(0);
}

}  // namespace

std::string ChildEnd::text() const {
    return signal != 0 ? "signal " + std::to_string(signal) : "exit code " + std::to_string(exit_code);
}

ChildProcess::ChildProcess(const ChildOptions& options) {
    Pipe alive;
    start_watcher(options, alive.read);
    try {
        start(options, alive.write);
    } catch (...) {
        ::kill(watcher_, SIGKILL);
        ::waitpid(watcher_, nullptr, 0);
        throw;
    }
    alive_ = Pipe::take(alive.write);
}

void ChildProcess::start(const ChildOptions& options, int alive) {
    Pipe to, from, report;
    const std::vector<char*> arguments = pointers(options.arguments);
    const std::vector<char*> environment = options.environment ? pointers(*options.environment) : std::vector<char*>{};
    const std::string folder = options.folder.string();
    int nothing = -1;
    const bool has_pipes = options.has_pipes && !options.has_our_streams;
    if (!has_pipes) nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    const ChildSetup setup{options,
                           folder.c_str(),
                           arguments.data(),
                           options.environment ? environment.data() : environ,
                           has_pipes ? to.read : nothing,
                           has_pipes ? from.write : nothing,
                           report.write,
                           alive};
    pid_ = ::fork();
    if (pid_ == 0) setup.run();
    const int fork_problem = errno;
    Pipe::close(nothing);
    if (pid_ < 0) throw Error(options.arguments[0] + ": cannot be started: " + std::strerror(fork_problem));
    ::setpgid(pid_, pid_);  // by both sides: whoever comes first, the group is there before anybody kills it
    Pipe::close(report.write);
    int reason = 0;
    ssize_t got = 0;
    do got = ::read(report.read, &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    if (got == sizeof reason) {
        ::waitpid(pid_, nullptr, 0);
        pid_ = -1;
        throw Error(options.arguments[0] + ": cannot be started: " + std::strerror(reason));
    }
    if (!has_pipes) return;
    input_ = Pipe::take(to.write);
    output_ = Pipe::take(from.read);
    ::fcntl(input_, F_SETFL, O_NONBLOCK);
    ::fcntl(output_, F_SETFL, O_NONBLOCK);
}

void ChildProcess::start_watcher(const ChildOptions& options, int alive) {
    const std::string folder = options.folder.string();
    watcher_ = ::fork();
    if (watcher_ == 0) watch(alive, options.removes_folder_if_killed ? folder.c_str() : nullptr);
    if (watcher_ < 0) throw Error("a process cannot be watched: " + std::string(std::strerror(errno)));
}

ChildProcess::~ChildProcess() {
    close_input();
    Pipe::close(output_);
    if (pid_ < 0) return;
    kill();
    if (!end_) ::waitpid(pid_, nullptr, 0);
    const char all_is_well = 1;
    [[maybe_unused]] const ssize_t told = write_without_signal(alive_, {&all_is_well, 1});
    Pipe::close(alive_);
    ::waitpid(watcher_, nullptr, 0);
}

void ChildProcess::close_input() {
    Pipe::close(input_);
}

ssize_t ChildProcess::write(std::string_view bytes) {
    return write_without_signal(input_, bytes);
}

std::optional<ChildEnd> ChildProcess::wait(double seconds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    auto pause = std::chrono::milliseconds(1);
    while (!ended()) {
        throw_if_stopped();
        if (std::chrono::steady_clock::now() >= until) return std::nullopt;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(50));
    }
    return end_;
}

std::optional<ChildEnd> ChildProcess::ended() {
    int status = 0;
    if (!end_ && ::waitpid(pid_, &status, WNOHANG) == pid_)
        end_ = WIFEXITED(status) ? ChildEnd{WEXITSTATUS(status), 0} : ChildEnd{-1, WTERMSIG(status)};
    return end_;
}

void ChildProcess::signal(int number) {
    ::kill(pid_, number);
}

// The second number: nanoseconds in a processor's queue.
double ChildProcess::starved_seconds() const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/schedstat");
    double ran = 0, waited = 0;
    return file >> ran >> waited ? waited * 1e-9 : 0;
}

void ChildProcess::kill() {
    ::killpg(pid_, SIGKILL);
}

}  // namespace craft
