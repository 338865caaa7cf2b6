#include "cli/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <utility>

#include "cli/made_folders.h"
#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/option_files.h"
#include "core/run_folder.h"
#include "core/signals.h"
#include "core/version.h"

namespace craft {

namespace {

const char* group_title(CommandGroup group) {
    switch (group) {
        case CommandGroup::make_data:
            return "Make data";
        case CommandGroup::train:
            return "Train";
        case CommandGroup::use_model:
            return "Use a model";
        case CommandGroup::revise_and_judge:
            return "Revise and judge";
        case CommandGroup::evaluate:
            return "Evaluate";
    }
    return "";
}

// A file opened later must not get the number of a closed stdout or stderr and be written over.
void reserve_standard_streams() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
        if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF) static_cast<void>(::open("/dev/null", O_RDONLY));
}

const Command* find_command(const std::vector<Command>& commands, const std::string& name) {
    const auto found = std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.name == name; });
    return found == commands.end() ? nullptr : &*found;
}

// "eval" of "eval tools": its commands, for a user who stopped half-way.
std::vector<Command> commands_under(const std::vector<Command>& commands, const std::string& first_word) {
    std::vector<Command> under;
    for (const Command& command : commands)
        if (command.name.rfind(first_word + " ", 0) == 0) under.push_back(command);
    return under;
}

std::string names_of(const std::vector<Command>& commands) {
    std::string names;
    for (const Command& command : commands) names += (names.empty() ? "" : ", ") + command.name;
    return names;
}

// `second` is what comes after the first word, and may be that of a command or an option.
[[noreturn]] void throw_unknown_command(const std::vector<Command>& commands, const std::string& first,
                                        const std::string& second) {
    std::vector<std::string> names, first_words;
    for (const Command& command : commands) {
        names.push_back(command.name);
        first_words.push_back(command.name.substr(0, command.name.find(' ')));
    }
    const std::string name = commands_under(commands, first).empty() ? first : first + " " + second;
    std::string near = did_you_mean(first + " " + second, names);
    if (near.empty()) near = did_you_mean(name, name == first ? first_words : names);
    throw UsageError("unknown command '" + name + "'" + (near.empty() ? " (craft-train --help lists them)" : near));
}

int run_named(const std::vector<Command>& commands, int argc, const char* const* argv) {
    const std::string first = argc > 1 ? argv[1] : "";
    const std::string second = argc > 2 ? argv[2] : "";
    if (first.empty()) throw UsageError("missing command (craft-train --help lists them)");
    if (first == "--help" || first == "-h") return write_stdout(program_help(commands)), 0;
    if (first == "--version") return write_stdout(std::string("craft-train ") + version() + "\n"), 0;
    const int words = find_command(commands, first + " " + second) != nullptr ? 2 : 1;
    const Command* command = find_command(commands, words == 2 ? first + " " + second : first);
    if (command == nullptr) {
        const std::vector<Command> under = commands_under(commands, first);
        if (under.empty()) throw_unknown_command(commands, first, second);
        if (second == "--help" || second == "-h") return write_stdout(program_help(under)), 0;
        if (second.empty() || second[0] == '-')
            throw UsageError("incomplete command '" + first + "'; known: " + names_of(under));
        throw_unknown_command(under, first, second);
    }
    // A command that others are named after takes no arguments of its own.
    if (words == 1 && !second.empty() && second[0] != '-' && !commands_under(commands, first).empty())
        throw_unknown_command(commands, first, second);
    std::vector<const char*> arguments = {command->name.c_str()};
    arguments.insert(arguments.end(), argv + 1 + words, argv + argc);
    return command->run(static_cast<int>(arguments.size()), arguments.data());
}

std::string library_problem(const std::string& message) {
    if (message.find("CUDA") != std::string::npos && message.find("out of memory") != std::string::npos)
        return "out of memory on the GPU (try smaller batches: --micro-batch-tokens, --batch-tokens or --batch-size)";
    return "unexpected failure of a library: " + message.substr(0, message.find('\n'));
}

int report_failure() {
    try {
        throw;
    } catch (const UsageError& error) {
        for (const auto& problem : error.problems()) log_error(problem);
        return 2;
    } catch (const Stopped& stopped) {
        if (stopped.signal() == SIGPIPE) return 128 + SIGPIPE;  // in silence, as other programs end before | head
        leave_signal_unanswered();
        log_warning(stopped.what() + (resumable_run().empty()
                                          ? "; no output file was written"
                                          : "; progress is saved in " + resumable_run() + ", rerun to resume"));
        return 128 + stopped.signal();
    } catch (const Error& error) {
        log_error(error.what());
    } catch (const std::filesystem::filesystem_error& error) {
        log_error(error.path1().string() + (error.path2().empty() ? "" : " to " + error.path2().string()) + ": " +
                  error.code().message());
    } catch (const std::bad_alloc&) {
        log_error("out of memory (try smaller batches or fewer --threads)");
    } catch (const std::exception& error) {  // of a library; only the first line, the rest is a stack trace
        log_error(library_problem(error.what()));
    } catch (...) {
        log_error("an error without a message");
    }
    return 1;
}

}  // namespace

std::string program_help(const std::vector<Command>& commands) {
    std::string text = std::string("craft-train ") + version() +
                       ": make, train, run and evaluate planners for constrained text revision\n\n"
                       "Usage: craft-train COMMAND [options]\n"
                       "       craft-train COMMAND --help    its options, and an example\n"
                       "       craft-train --version\n";
    size_t width = 0;
    for (const Command& command : commands) width = std::max(width, command.name.size());
    for (const CommandGroup group : {CommandGroup::make_data, CommandGroup::train, CommandGroup::use_model,
                                     CommandGroup::revise_and_judge, CommandGroup::evaluate}) {
        std::string lines;
        for (const Command& command : commands)
            if (command.group == group)
                lines += "  " + command.name + std::string(width + 2 - command.name.size(), ' ') + command.help + "\n";
        if (!lines.empty()) text += std::string("\n") + group_title(group) + "\n" + lines;
    }
    return text;
}

int run_program(const std::vector<Command>& commands, int argc, const char* const* argv) {
    try {
        reserve_standard_streams();
        install_signal_flags();
        set_resumable_run("");
        made_folders().clear();
        const int code = run_named(commands, argc, argv);
        if (!std::cout.flush()) {
            if (errno == EPIPE) throw Stopped(SIGPIPE);
            throw Error("stdout: cannot write: " + std::string(std::strerror(errno)));
        }
        return code;
    } catch (...) {
        remove_empty_folders(std::exchange(made_folders(), {}));
        return report_failure();
    }
}

}  // namespace craft
