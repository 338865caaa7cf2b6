#include "cli/stage_process.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

#include "core/process/child_process.h"
#include "core/signals.h"

namespace craft {

namespace {

// Those by which a process takes itself for a rank (train/parallel/launch.h). In a Slurm batch script they are set, too.
bool makes_a_rank(std::string_view variable) {
    for (const char* name : {"RANK=", "WORLD_SIZE=", "SLURM_PROCID="})
        if (variable.starts_with(name)) return true;
    return false;
}

std::vector<std::string> variables_of(bool is_rank) {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (is_rank || !makes_a_rank(*variable)) variables.emplace_back(*variable);
    return variables;
}

// A program that has our commands within it, such as a test, names the one that is started instead.
std::string own_program() {
    const char* const named = std::getenv("CRAFT_PROGRAM");
    return named != nullptr && *named != '\0' ? named : std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace

int run_stage_process(const std::vector<std::string>& launcher, const std::vector<std::string>& arguments) {
    std::vector<std::string> words = launcher;
    words.push_back(own_program());
    words.insert(words.end(), arguments.begin(), arguments.end());
    ChildProcess child({.arguments = words, .environment = variables_of(!launcher.empty()), .has_our_streams = true});
    const StopNotice notice("when the stage has stopped");
    bool is_told = false;
    while (!child.ended()) {
        if (!is_told && stop_signal() != 0) {
            child.signal(stop_signal());
            is_told = true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const ChildEnd end = *child.ended();
    return end.signal != 0 ? 128 + end.signal : end.exit_code;
}

}  // namespace craft
