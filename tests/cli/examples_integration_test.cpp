// The examples of --help, on the real model.
#include <gtest/gtest.h>

#include <filesystem>
#include <iomanip>
#include <set>
#include <sstream>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

const std::string kModelFile = "smollm2-135m-instruct.gguf";

// A row for each instruction, as `plan` writes them.
std::string plans_of(const std::filesystem::path& instructions) {
    std::string rows;
    JsonLinesReader reader(instructions.string());
    while (const auto row = reader.next())
        rows += Json({{"id", row->at("id")}, {"calls", {"text_eval()"}}, {"response", ""}}).dump() + "\n";
    return rows;
}

// What `sft` leaves, of one short example.
void train_an_adapter(const std::string& out) {
    write_file_atomic("one.jsonl", "{\"prompt\":\"a\",\"completion\":\" b\"}\n");
    const test::Outcome outcome = test::run_command(
        {"sft", "--model", "weights/" + kModelFile, "--data", "one.jsonl", "--lora-rank", "2", "--out", out, "--quiet"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
}

// As a new user types them, one after the other: each finds what the ones before it wrote. The long ones are left out; what
// `plan` and `sft` write is put there.
TEST(Commands, ExamplesWorkInTheOrderOfTheHelp) {
    const TemporaryFolder folder;
    const std::filesystem::path source = test_source();
    if (!std::filesystem::exists(source / "weights" / kModelFile))
        GTEST_SKIP() << "no weights/" << kModelFile << ": scripts/setup.sh installs it";
    for (const char* name : {"share", "weights", "configs"})
        std::filesystem::create_directory_symlink(source / name, folder.path() / name);
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const std::set<std::string> long_ones = {"plan", "sft", "align", "simplify", "quickstart"};
    for (const Command& command : commands()) {
        if (long_ones.contains(command.name)) continue;
        if (command.name == "eval tools")  // reads what `plan` writes
            write_file_atomic("plans.jsonl", plans_of("instructions.jsonl"));
        if (command.name == "export") train_an_adapter("runs/sft");
        test::Arguments words;
        std::istringstream text(command.example);
        for (std::string word; text >> std::quoted(word);) words.push_back(word);
        words.erase(words.begin());
        const test::Outcome outcome = test::run_command(words);
        EXPECT_EQ(outcome.code, 0) << command.example << "\n" << outcome.err;
    }
    std::filesystem::current_path(before);
}

}  // namespace
}  // namespace craft
