// Every command with an output: what is there stays, whatever the output is called. The rules are those of
// core/option_files.h; a command whose option has no mark is found here.
#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>

#include "core/files.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using test::Arguments;
using test::run_command;

// The flags of a command whose help says that they name a file that is written.
std::vector<std::string> outputs_of(const Command& command) {
    const std::string help = test::help_of(command);
    std::vector<std::string> outputs;
    for (const char* flag :
         {"--output", "--proof", "--report", "--judgements", "--trace", "--scratchpads", "--stripped", "--summary"})
        if (help.find(std::string("\n  ") + flag + " ") != std::string::npos) outputs.emplace_back(flag);
    return outputs;
}

TEST(OutputFiles, ThatExistAreKept) {
    const TemporaryFolder folder;
    const std::string there = folder.file("there", "what must not be lost\n");
    size_t seen = 0;
    for (const Command& command : commands()) {
        const Arguments name = test::words_of(command.name);
        for (const std::string& output : outputs_of(command)) {
            Arguments asked = name;
            asked.insert(asked.end(), {output, there});
            EXPECT_THAT(run_command(asked).err, testing::HasSubstr(output + ": expected a new file, got " + there +
                                                                   ", which exists (--overwrite replaces it)"))
                << command.name;
            ++seen;
        }
    }
    EXPECT_GE(seen, 40u) << "help says which flags there are";
    EXPECT_EQ(read_file(there), "what must not be lost\n");
    EXPECT_EQ(folder.count(), 1u);
}

TEST(OutputFiles, AreNoInputs) {
    const TemporaryFolder folder;
    const std::string there = folder.file("there", "what must not be lost\n");
    for (const Command& command : commands()) {
        const std::vector<std::string> outputs = outputs_of(command);
        const std::string help = test::help_of(command);
        for (const std::string& output : outputs)
            for (const char* input : {"--input", "--items", "--outputs", "--texts", "--instructions", "--model",
                                      "--hypothesis", "--gold", "--guideline", "--requests", "--pairs", "--revisions",
                                      "--plans", "--adapter", "--reference", "--compare", "--store"}) {
                if (help.find(std::string("\n  ") + input + " ") == std::string::npos) continue;
                Arguments both = test::words_of(command.name);
                both.insert(both.end(), {input, there, output, there});
                EXPECT_THAT(run_command(both).err, testing::HasSubstr("expected another file than "))
                    << command.name << " " << input << " " << output;
            }
    }
    EXPECT_EQ(read_file(there), "what must not be lost\n");
}

TEST(OutputFiles, GetTheirFolder) {
    const TemporaryFolder folder;
    const std::string text = folder.file("t.jsonl", "{\"text\":\"One two.\"}\n\n{\"id\":\"b\",\"text\":\"Three.\"}\n");
    const std::string output = (folder.path() / "new" / "folder" / "o.jsonl").string();
    const auto made = run_command({"tokenize", "--model", test::tiny_model(), "--input", text, "--output", output});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(read_file(output), testing::HasSubstr("{\"id\":\"1\",")) << "a row without an id has its line number";
    EXPECT_THAT(read_file(output), testing::HasSubstr("{\"id\":\"b\","));
}

TEST(OutputFiles, LeaveNoEmptyFolderWhereACommandFails) {
    const TemporaryFolder folder;
    const std::string bad = folder.file("bad.jsonl", "nothing\n");
    const std::string output = (folder.path() / "new" / "folder" / "o.jsonl").string();
    for (const Arguments& command :
         std::vector<Arguments>{{"tokenize", "--model", test::tiny_model(), "--input", bad, "--output", output},
                                {"embed", "--model", test::tiny_model(), "--input", bad, "--output", output}}) {
        EXPECT_EQ(run_command(command).code, 1) << command[0];
        EXPECT_EQ(folder.count(), 1u) << command[0];
    }
}

}  // namespace
}  // namespace craft
