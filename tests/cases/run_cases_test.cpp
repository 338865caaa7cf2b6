// Runs every file of tests/cases, each as a test of its own (CONTRIBUTING.md says how to write one).
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "tests/cases/case_file.h"
#include "tests/cases/row_runners.h"
#include "tests/cli/command_inputs.h"
#include "tests/tools/grammar/grammar_setup.h"

namespace craft::test {
namespace {

namespace fs = std::filesystem;

// The *.case and *.cases below a folder, by name.
std::vector<fs::path> case_files(const fs::path& folder) {
    std::set<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".case" || entry.path().extension() == ".cases") files.insert(entry.path());
    return {files.begin(), files.end()};
}

fs::path cases_folder() {
    return test_source("/tests/cases");
}

// With the places that a case may name instead of {share}, {texts}, {model} and {english}.
std::string filled_in(const std::string& text) {
    Arguments one = {text};
    one = filled(one, "{share}", kShare);
    one = filled(one, "{texts}", kShare + "/texts/dev.jsonl");
    one = filled(one, "{english}", installed_english_model().string());
    if (text.find("{model}") != std::string::npos) one = filled(one, "{model}", tiny_model());  // made where it is needed
    return one.front();
}

std::set<std::string> names_below(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) names.insert(entry.path().string());
    return names;
}

// Lines of a transcript that do not hold, with what came instead.
using Failures = std::vector<CaseText>;

class WorkingFolder {
public:
    explicit WorkingFolder(const fs::path& folder) { fs::current_path(folder); }
    ~WorkingFolder() { fs::current_path(before_); }
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;

private:
    fs::path before_ = fs::current_path();
};

void compare(const CaseCommand& command, const Outcome& outcome, Failures& failures) {
    const std::string all = "code " + std::to_string(outcome.code) + "\nstdout:\n" + outcome.out + "stderr:\n" + outcome.err;
    if (outcome.code != command.code)
        failures.push_back({command.line, "expected code " + std::to_string(command.code) + ", got " + all});
    for (const CaseText& said : command.said)
        if (!is_as_expected("..." + filled_in(said.text) + "...", outcome.err))
            failures.push_back({said.line, "expected in stderr:\n" + filled_in(said.text) + "\ngot " + all});
    if (command.code != 0 && outcome.errors().size() != command.said.size())
        failures.push_back({command.line, "expected " + std::to_string(command.said.size()) + " errors, got " + all});
    // What fails says nothing there, unless the file says so.
    const CaseText nothing{command.line, ""};
    if (!command.out && command.code == 0) return;
    const CaseText& out = command.out ? *command.out : nothing;
    if (!is_as_expected(filled_in(out.text), outcome.out))
        failures.push_back({out.line, "expected on stdout:\n" + filled_in(out.text) + "\ngot:\n" + outcome.out});
}

Failures run_transcript(const Transcript& transcript) {
    const TemporaryFolder folder;
    Failures failures;
    const WorkingFolder working(folder.path());
    for (const CaseCommand& command : transcript.commands) {
        for (const auto& [name, bytes] : command.files) folder.file(name, bytes);
        Arguments words;
        for (const std::string& word : command.words) words.push_back(filled_in(word));
        const std::set<std::string> names = names_below(folder.path());
        compare(command, run_command(words), failures);
        if (command.code == 2 && names_below(folder.path()) != names)
            failures.push_back({command.line, "expected that nothing is begun, got other files than before"});
    }
    return failures;
}

class CaseFiles : public testing::TestWithParam<fs::path> {};

TEST_P(CaseFiles, Hold) {
    const std::string file = GetParam().string(), text = read_file(GetParam());
    Failures failures;
    if (GetParam().extension() == ".case") {
        const Transcript transcript = parse_transcript(text, file);
        if (transcript.needs_english) CRAFT_NEEDS_GRAMMAR();
        failures = run_transcript(transcript);
    } else {
        for (const CaseRow& row : parse_table(text, file)) {
            const RowRunner& runner = row_runner(row.run, file + ":" + std::to_string(row.line));
            if (runner.needs_english) CRAFT_NEEDS_GRAMMAR();
            if (const std::string got = runner.problem(row.input, row.expected); !got.empty())
                failures.push_back({row.line, row.input + "\nexpected: " + row.expected + "\ngot: " + got});
        }
    }
    for (const CaseText& failure : failures) ADD_FAILURE_AT(file.c_str(), static_cast<int>(failure.line)) << failure.text;
}

INSTANTIATE_TEST_SUITE_P(All, CaseFiles, testing::ValuesIn(case_files(cases_folder())), [](const auto& one) {
    std::string name = one.param.lexically_relative(cases_folder()).string();
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

TEST(Transcripts, SayWhatDoesNotHold) {
    const auto failed = [](const std::string& text) {
        std::vector<size_t> lines;
        for (const CaseText& failure : run_transcript(parse_transcript(text, "t.case"))) lines.push_back(failure.line);
        return lines;
    };
    using Lines = std::vector<size_t>;
    const std::string version = "--- stdout\ncraft-train 0...\n";
    EXPECT_EQ(failed("$ --version\n" + version + "$ trian\n2| unknown command 'trian'\n"), Lines());
    EXPECT_EQ(failed("$ --version\n--- stdout\ncraft-train 0\n"), Lines{2});
    EXPECT_EQ(failed("# a comment\n$ trian\n1| unknown command\n"), Lines{2});
    EXPECT_EQ(failed("$ trian\n2| unknown command\n2| another\n"), (Lines{3, 1})) << "one error, not two";
    EXPECT_EQ(failed("$ trian\n"), (Lines{1})) << "it should have worked";
    EXPECT_EQ(failed("--- a.jsonl\n{\"id\":\"a\"}\n$ tokenizer train --texts a.jsonl --out o\n1| a.jsonl:1: \n"), Lines());
}

TEST(CaseFolder, HasSome) {
    EXPECT_FALSE(case_files(cases_folder()).empty()) << cases_folder();
}

}  // namespace
}  // namespace craft::test
