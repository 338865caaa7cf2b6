#include "cli/stage_process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>

#include "core/error.h"
#include "core/signals.h"

namespace craft {

namespace {

// Those by which a process takes itself for a rank (train/parallel/launch.h). In a Slurm batch script they are set, too.
bool makes_a_rank(std::string_view variable) {
    for (const char* name : {"RANK=", "WORLD_SIZE=", "SLURM_PROCID="})
        if (variable.starts_with(name)) return true;
    return false;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// A program that has our commands within it, such as a test, names the one that is started instead.
std::string own_program() {
    const char* const named = std::getenv("CRAFT_PROGRAM");
    return named != nullptr && *named != '\0' ? named : std::filesystem::read_symlink("/proc/self/exe").string();
}

pid_t start(const std::vector<std::string>& words, bool is_rank) {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (is_rank || !makes_a_rank(*variable)) variables.emplace_back(*variable);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int ignored_by_us : {SIGPIPE, SIGXFSZ}) sigaddset(&defaults, ignored_by_us);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t child = -1;
    const int problem = ::posix_spawnp(&child, words.front().c_str(), nullptr, &attributes, pointers_to(words).data(),
                                       pointers_to(variables).data());
    posix_spawnattr_destroy(&attributes);
    if (problem != 0)
        throw Error(words.front(), "a program that can be started", std::strerror(problem), "it is the stage's launcher");
    return child;
}

int wait_for(pid_t child) {
    const StopNotice notice("when the stage has stopped");
    bool is_told = false;
    int status = 0;
    while (true) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child) return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        if (ended < 0 && errno != EINTR)
            throw Error("a stage's process: cannot wait for it: " + std::string(std::strerror(errno)));
        if (!is_told && stop_signal() != 0) is_told = ::kill(child, stop_signal()) == 0;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

}  // namespace

int run_stage_process(const std::vector<std::string>& launcher, const std::vector<std::string>& arguments) {
    std::vector<std::string> words = launcher;
    words.push_back(own_program());
    words.insert(words.end(), arguments.begin(), arguments.end());
    return wait_for(start(words, !launcher.empty()));
}

}  // namespace craft
