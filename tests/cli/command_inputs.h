// A folder with a small input of each kind, and what a command says of them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft::test {

inline const std::string kInstruction =
    R"row({"id":"a","domain":"c1","instruction":"Keep it short:","text":"It is late. We go home.",)row"
    R"row("constraints":[["word_count_check(9, \"less than\")"]]})row"
    "\n";

// Replaces {name} in each argument.
inline Arguments filled(Arguments arguments, const std::string& name, const std::string& value) {
    for (std::string& argument : arguments)
        for (size_t at = argument.find(name); at != std::string::npos; at = argument.find(name, at + value.size()))
            argument.replace(at, name.size(), value);
    return arguments;
}

class CommandInputs : public testing::Test {
protected:
    CommandInputs() {
        folder_.file("instructions.jsonl", kInstruction);
        folder_.file("text.jsonl", "{\"id\":\"a\",\"text\":\"It is late. We go home.\"}\n");
        folder_.file("sft.jsonl", "{\"prompt\":\"a\",\"completion\":\"b\"}\n");
        folder_.file("pairs.jsonl", "{\"prompt\":\"a\",\"chosen\":\"b\",\"rejected\":\"c\"}\n");
    }
    // The failure with {dir} standing for the test's folder, both ways.
    std::string failure(const Arguments& arguments) const {
        std::string line = failure_of(filled(filled(arguments, "{dir}", dir()), "{model}", tiny_model()));
        for (size_t at = line.find(dir()); at != std::string::npos; at = line.find(dir()))
            line.replace(at, dir().size(), "{dir}");
        return line;
    }
    std::string dir() const { return folder_.path().string(); }
    void expect_no_leftovers() const {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path()))
            EXPECT_EQ(entry.path().string().find(".tmp-"), std::string::npos) << entry.path();
    }
    TemporaryFolder folder_;
};

}  // namespace craft::test
