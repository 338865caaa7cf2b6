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

}  // namespace
}  // namespace craft
