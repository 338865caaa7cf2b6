// Runs craft-train inside the test: the real table of commands, with stdout and stderr caught.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/program.h"
#include "core/log.h"
#include "tests/model/random_model.h"
#include "tests/source.h"

namespace craft::test {

using Arguments = std::vector<std::string>;

inline const std::string kShare = test_source() + "/share";

// A command's name is one word or two.
inline Arguments words_of(const std::string& text) {
    std::istringstream words(text);
    return Arguments(std::istream_iterator<std::string>(words), {});
}

struct Outcome {
    int code = 0;
    std::string out, err;

    // Lines of stderr that start with "error: ", without it.
    std::vector<std::string> errors() const {
        std::vector<std::string> found;
        for (size_t begin = 0; begin < err.size();) {
            const size_t end = std::min(err.find('\n', begin), err.size());
            const std::string line = err.substr(begin, end - begin);
            if (line.rfind("error: ", 0) == 0) found.push_back(line.substr(7));
            begin = end + 1;
        }
        return found;
    }
};

inline Outcome run_command(const Arguments& arguments) {
    // Without it `run` would start this test program, and that all tests, this one among them.
    if (!arguments.empty() && arguments[0] == "run" && std::getenv("CRAFT_PROGRAM") == nullptr)
        throw Error("CRAFT_PROGRAM", "the program that `run` starts", "nothing", "ctest sets it");
    std::vector<const char*> argv = {"craft-train"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    configure_log({});
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int code = run_program(commands(), static_cast<int>(argv.size()), argv.data());
    std::string out = ::testing::internal::GetCapturedStdout();
    return {code, std::move(out), ::testing::internal::GetCapturedStderr()};
}

// All that --help says of a command, its pages included.
inline std::string help_of(const Command& command) {
    Arguments asked = words_of(command.name);
    asked.emplace_back("--help");
    std::string help = run_command(asked).out;
    for (const HelpPage& page : command.pages) {
        asked.back() = page.name;
        asked.emplace_back("--help");
        help += run_command(asked).out;
        asked.pop_back();
    }
    return help;
}

// Help without what wraps it.
inline std::string in_one_line(const std::string& text) {
    std::string joined;
    for (const std::string& word : words_of(text)) joined += word + " ";
    return joined;
}

// A command that may write where an earlier one of the same test has written; what a stopped one left is continued.
inline Arguments replacing(Arguments command) {
    namespace fs = std::filesystem;
    const Arguments outputs = {"--output", "--judgements", "--trace", "--pairs", "--report", "--proof", "--summary"};
    bool exists = false;
    for (size_t i = 0; i + 1 < command.size(); ++i)
        if (std::find(outputs.begin(), outputs.end(), command[i]) != outputs.end()) {
            if (fs::exists(command[i + 1] + ".partial")) return command;
            exists = exists || fs::is_regular_file(command[i + 1]);
        }
    if (exists) command.emplace_back("--overwrite");
    return command;
}

// One line of error, whole: the code and the text, or what came instead.
inline std::string failure_of(const Arguments& arguments) {
    const Outcome outcome = run_command(arguments);
    const auto errors = outcome.errors();
    if (errors.size() != 1 || !outcome.out.empty())
        return "code " + std::to_string(outcome.code) + ", stdout '" + outcome.out + "', stderr '" + outcome.err + "'";
    return std::to_string(outcome.code) + ": " + errors[0];
}

}  // namespace craft::test
