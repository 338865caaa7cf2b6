// `watch`: a run while it goes on.
#include <unistd.h>

#include <chrono>
#include <thread>

#include "cli/command.h"
#include "cli/common.h"
#include "core/files.h"
#include "core/signals.h"
#include "view/run_watch.h"
#include "view/terminal.h"

namespace craft {

namespace {

int run_watch(int argc, const char* const* argv);

const Command kWatchCommand = {"watch", CommandGroup::use_model,
                               "a run while it goes on: loss, reward, time left, last sample", "craft-train watch runs/sft",
                               run_watch};

std::string page_of(const RunWatch& watch, const Terminal& terminal) {
    constexpr int kLabels = 24;
    const auto columns = static_cast<size_t>(std::max(10, terminal.width - kLabels));
    return lay_out(watch.page(std::filesystem::file_time_type::clock::now(), columns), terminal);
}

// Over the former page, from the upper left corner on; what does not fit is left out.
void draw(const std::string& page, int rows) {
    constexpr const char* kHome = "\x1b[H\x1b[J";
    std::string fitting;
    size_t at = 0;
    for (int row = 1; row < rows && at < page.size(); ++row) {
        const size_t end = page.find('\n', at);
        fitting += page.substr(at, end - at + 1);
        at = end + 1;
    }
    write_stdout(kHome + fitting);
}

int run_watch(int argc, const char* const* argv) {
    CommonOptions common;
    std::filesystem::path folder;
    double interval = 2;
    OptionTable table;
    table.add("path", folder, "the folder of a run, which is only read").positional("RUN").input().required();
    table.add("interval", interval, "seconds between two looks, on a terminal; elsewhere one look is printed")
        .flag("--interval")
        .min(0.1)
        .max(3600)
        .not_identity();
    if (!parse_command(kWatchCommand, table, common, argc, argv)) return 0;
    RunWatch watch(folder);
    while (true) {
        const Terminal terminal = terminal_of(STDOUT_FILENO);  // its size may change
        const std::string page = page_of(watch, terminal);
        if (!terminal.is_one) {
            write_stdout(page);
            return 0;
        }
        draw(page, terminal.height);
        if (watch.finished()) return 0;
        const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(interval);
        while (std::chrono::steady_clock::now() < until) {
            throw_if_stopped();
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        watch.look();
    }
}

}  // namespace

Command watch_command() {
    return kWatchCommand;
}

}  // namespace craft
