// No command of `eval` overwrites what it reads, nor one of its outputs by another.
#include <gmock/gmock.h>

#include <filesystem>

#include "core/files.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::failure_of;

// What a command reads and writes: options of files, each of which gets one of its own.
struct FilesOfCommand {
    Arguments command, more;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs = {"--output"};
};

const Arguments kJudge = {"--judge", "local:model"};

const std::vector<FilesOfCommand> kEvaluations = {
    {{"eval", "cord"}, {}, {"--items", "--outputs"}},
    {{"eval", "tools"}, {}, {"--items", "--calls"}},
    {{"eval", "preserve"}, {}, {"--items", "--outputs"}},
    {{"eval", "factuality"}, {}, {"--items", "--outputs"}},
    {{"eval", "latex"}, {}, {"--items", "--outputs", "--preamble"}, {"--output", "--stripped"}},
    {{"eval", "compare"}, {}, {"--a", "--b"}},
    {{"eval", "easy"}, kJudge, {"--items", "--outputs"}, {"--output", "--judgements"}},
    {{"eval", "pairwise"}, kJudge, {"--items", "--a", "--b"}, {"--output", "--judgements"}},
    {{"eval", "metric", "sari"}, {}, {"--input"}},
    {{"eval", "m2"}, {}, {"--hypothesis", "--gold"}},
    {{"eval", "errant"}, {}, {"--hypothesis", "--gold"}},
    {{"eval", "edits"}, {}, {"--source", "--hypothesis"}},
};

class EvalOverwrite : public testing::Test {
protected:
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    // The command with a file for each of its inputs; options that stand in `more` again keep the last value.
    Arguments command_of(const FilesOfCommand& of) {
        Arguments all = of.command;
        all.insert(all.end(), of.more.begin(), of.more.end());
        for (const std::string& input : of.inputs) all.insert(all.end(), {input, folder_.file(input, kContent)});
        return all;
    }
    void expect_refused(Arguments command, const Arguments& more, const std::string& problem) {
        command.insert(command.end(), more.begin(), more.end());
        EXPECT_EQ(failure_of(command), "2: " + problem) << testing::PrintToString(command);
    }
    TemporaryFolder folder_;
    const std::string kContent = "what must not be lost\n";
};

TEST_F(EvalOverwrite, NoInputIsOverwritten) {
    const std::string config = folder_.file("config.json", "{\"quiet\": true}");
    for (const FilesOfCommand& of : kEvaluations) {
        const Arguments command = command_of(of);
        for (const std::string& output : of.outputs) {
            const auto expect_kept = [&](const std::string& input, const std::string& written) {
                expect_refused(
                    command, {output, written},
                    output + ": expected another file than " + input + ", which it would overwrite, got " + written);
            };
            for (const std::string& input : of.inputs) {
                expect_kept(input, at(input));
                expect_kept(input, at("./" + input));
                EXPECT_EQ(read_file(at(input)), kContent);
            }
            expect_refused(command, {"--config", config, output, config},
                           output + ": expected another file than --config, which it would overwrite, got " + config);
        }
    }
    EXPECT_NE(read_file(config), kContent);
}

TEST_F(EvalOverwrite, NoOutputIsOverwrittenByAnother) {
    for (const FilesOfCommand& of : kEvaluations) {
        if (of.outputs.size() < 2) continue;
        const std::string refused = of.outputs[1] + ": expected another file than " + of.outputs[0] + ", got ";
        const Arguments command = command_of(of);
        const std::string other = at("./new");
        expect_refused(command, {of.outputs[0], at("new"), of.outputs[1], other}, refused + other);
        expect_refused(command, {of.outputs[0], "-", of.outputs[1], "-"}, refused + "-");
        EXPECT_FALSE(fs::exists(at("new")));
    }
}

TEST_F(EvalOverwrite, ResultsOfATableAreKept) {
    const std::string result = folder_.file("a.json", kContent);
    fs::create_symlink(result, at("link.json"));
    for (const std::string& written : {result, at("link.json")})
        expect_refused({"eval", "table", "B=" + at("none"), "A:c2=" + result, "--output", written}, {},
                       "--output: expected another file than RESULT, which it would overwrite, got " + written);
    EXPECT_EQ(read_file(result), kContent);
}

// A terminal or /dev/null may be both: there is nothing to lose.
TEST_F(EvalOverwrite, DevicesMayBeBoth) {
    const Arguments command = {"eval", "compare", "--a", "/dev/null", "--b", "/dev/null", "--output", "/dev/null"};
    EXPECT_THAT(failure_of(command), testing::StartsWith("1: /dev/null: "));
}

}  // namespace
}  // namespace craft
