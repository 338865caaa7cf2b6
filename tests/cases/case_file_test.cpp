#include "tests/cases/case_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(CaseFile, ATranscriptHasCommandsFilesAndWhatIsSaid) {
    const Transcript all = parse_transcript(
        "# needs: english\n"
        "--- s.txt\n"
        "# no comment\n"
        "\\$ no command\n"
        "\n"
        "---\n"
        "# a comment\n"
        "$ gec inspect --input 's .txt' --tool \"\"\n"
        "--- stdout\n"
        "one\n"
        "\n"
        "$ align --iter 0\n"
        "2| --iter: expected at least 1, got 0\n"
        "2| another\n"
        "--- empty\n",
        "t.case");
    EXPECT_TRUE(all.needs_english);
    ASSERT_EQ(all.commands.size(), 2u);
    const CaseCommand& first = all.commands[0];
    EXPECT_EQ(first.line, 8u);
    EXPECT_THAT(first.words, ElementsAre("gec", "inspect", "--input", "s .txt", "--tool", ""));
    EXPECT_THAT(first.files, ElementsAre(Pair("s.txt", "# no comment\n$ no command\n")));
    EXPECT_EQ(first.out->line, 9u);
    EXPECT_EQ(first.out->text, "one");
    EXPECT_EQ(first.code, 0);
    const CaseCommand& second = all.commands[1];
    EXPECT_EQ(second.code, 2);
    ASSERT_EQ(second.said.size(), 2u);
    EXPECT_EQ(second.said[0].line, 13u);
    EXPECT_EQ(second.said[0].text, "--iter: expected at least 1, got 0");
    EXPECT_THAT(second.files, ElementsAre(Pair("empty", "")));
    EXPECT_FALSE(second.out);
}

TEST(CaseFile, AWrongTranscriptIsAnError) {
    const auto problem = [](const std::string& text) { return message_of([&] { parse_transcript(text, "t.case"); }); };
    EXPECT_THAT(problem(""), HasSubstr("t.case: expected at least one command"));
    EXPECT_THAT(problem("# a\n--- f\nx\n"), HasSubstr("t.case: expected at least one command"));
    EXPECT_THAT(problem("$ a\nb\n"), HasSubstr("t.case:2: expected '$ COMMAND', "));
    EXPECT_THAT(problem("2| a\n$ b\n"), HasSubstr("t.case:1: expected '$ COMMAND', "));
    EXPECT_THAT(problem("$ a\n2| b\n1| c\n"), HasSubstr("t.case:3: expected the code above, 2, got 1"));
    EXPECT_THAT(problem("$ a 'b\n"), HasSubstr("t.case:1: expected a second '"));
    EXPECT_THAT(problem("--- stdout\n$ a\n"), HasSubstr("t.case:1: expected stdout below a command"));
    EXPECT_THAT(problem("$ a\n--- stdout\n--- stdout\n"), HasSubstr("t.case:3: expected stdout of a command once"));
    EXPECT_THAT(problem("$ a\n--- ../b\n"), HasSubstr("t.case:2: expected a file below the folder"));
    EXPECT_THAT(problem("$ a\n--- /b\n"), HasSubstr("t.case:2: expected a file below the folder"));
    EXPECT_THAT(problem("# needs: gold\n$ a\n"), HasSubstr("t.case:1: expected # needs: english, got 'gold'"));
}

TEST(CaseFile, ATableHasRows) {
    const std::vector<CaseRow> rows = parse_table("# run: marks agreement\n\nHe go. => go: goes\n# run: x\nI go. =>\n", "t");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].line, 3u);
    EXPECT_EQ(rows[0].run, "marks agreement");
    EXPECT_EQ(rows[0].input, "He go.");
    EXPECT_EQ(rows[0].expected, "go: goes");
    EXPECT_EQ(rows[1].run, "x");
    EXPECT_EQ(rows[1].expected, "");
    EXPECT_THAT(message_of([] { parse_table("# run: x\na -> b\n", "t.cases"); }),
                HasSubstr("t.cases:2: expected INPUT => "));
    EXPECT_THAT(message_of([] { parse_table("a => b\n", "t.cases"); }),
                HasSubstr("t.cases:1: expected a line '# run: NAME'"));
    EXPECT_THAT(message_of([] { parse_table("# run: x\n", "t.cases"); }), HasSubstr("t.cases: expected at least one row"));
}

TEST(CaseFile, ThreeDotsStandForAnyText) {
    EXPECT_TRUE(is_as_expected("a\nb", "a\nb\n\n"));
    EXPECT_FALSE(is_as_expected("a", "a\nb"));
    EXPECT_TRUE(is_as_expected("a...", "a\nb\n"));
    EXPECT_TRUE(is_as_expected("a...c\n", "abc\n"));
    EXPECT_TRUE(is_as_expected("...b...d", "abcd"));
    EXPECT_FALSE(is_as_expected("...d...b", "abcd"));
    EXPECT_FALSE(is_as_expected("a...a", "a")) << "two, not one";
    EXPECT_FALSE(is_as_expected("b...", "ab"));
    EXPECT_FALSE(is_as_expected("...b", "abc"));
}

}  // namespace
}  // namespace craft::test
