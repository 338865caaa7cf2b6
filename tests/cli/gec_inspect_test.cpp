// `gec inspect`: what the tools say of sentences, with parsers that are processes of the program's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/tools/grammar/grammar_setup.h"

namespace craft {
namespace {

using test::run_command;
using testing::HasSubstr;

TEST(GecInspect, SaysWhatTheToolsFind) {
    CRAFT_NEEDS_GRAMMAR();
    const TemporaryFolder folder;
    const std::string input = (folder.path() / "s.txt").string(), english = test::installed_english_model().string();
    write_file_atomic(input, "She go to school.\n\nThe the dog barked.\n");
    const auto text = run_command({"gec", "inspect", "--input", input, "--tool", "error_parsing", "--english", english});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_EQ(text.out,
              "# She go to school.\nerror_parsing:\nsubstituted \"go\" (word 2): 'go' does not agree with 'She'; "
              "suggestions: goes\n"
              "The parse leaves out: She\n\n"
              "# \nerror_parsing:\nThe sentence is empty.\n\n"
              "# The the dog barked.\nerror_parsing:\nredundant \"the\" (word 2): 'the' stands twice\nThe parse leaves out: "
              "The\n\n");
    EXPECT_THAT(text.err, HasSubstr("grammar tools"));
}

TEST(GecInspect, WritesRows) {
    CRAFT_NEEDS_GRAMMAR();
    const TemporaryFolder folder;
    const std::string input = (folder.path() / "s.jsonl").string(), output = (folder.path() / "o.jsonl").string();
    write_file_atomic(input, "{\"id\":\"a\",\"text\":\"She go to school.\"}\n{\"id\":\"b\"}\n");
    const auto outcome = run_command({"gec", "inspect", "--input", input, "--format", "json", "--output", output,
                                      "--skip-bad-lines", "--english", test::installed_english_model().string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    JsonLinesReader reader(output);
    const auto row = reader.next();
    ASSERT_TRUE(row.has_value());
    EXPECT_EQ(row->at("id"), "a");
    EXPECT_EQ(row->at("error_parsing")["marks"][0]["suggestions"][0], "goes");
    EXPECT_EQ(row->at("pos_tagging").size(), 5u);
    EXPECT_EQ(row->at("spell_check")["errors"].size(), 0u);
    EXPECT_THAT(row->at("dependency_parsing")["constituents"].get<std::string>(), HasSubstr("(S"));
    EXPECT_FALSE(reader.next().has_value());
}

TEST(GecInspect, RefusesOtherOptions) {
    const auto outcome = run_command({"gec", "inspect", "--input", "-", "--tool", "x", "--format", "y", "--parsers", "0"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.errors().size(), 3u) << outcome.err;
    EXPECT_EQ(run_command({"gec", "inspect", "--input", "/nowhere.txt"}).code, 1);
}

}  // namespace
}  // namespace craft
