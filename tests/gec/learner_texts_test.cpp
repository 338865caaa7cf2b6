#include "gec/learner_texts.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TEST(LearnerTexts, AreRowsOrLines) {
    const TemporaryFolder folder;
    const auto rows = read_learner_texts(folder.file("a.jsonl", "{\"id\":7,\"text\":\"I has .\\nYes\",\"more\":1}\n"));
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].id, "7");
    EXPECT_EQ(rows[0].text, "I has .\nYes");
    const auto lines = read_learner_texts(folder.file("a.txt", "\xef\xbb\xbfI has .\r\n\n{\"id\":1}"));
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0].text, "I has .");
    EXPECT_EQ(lines[1].text, "");
    EXPECT_EQ(lines[2].text, "{\"id\":1}");
    EXPECT_EQ(lines[2].id, "3");
    EXPECT_THROW(read_learner_texts(folder.file("b.txt", "")), Error);
    EXPECT_THROW(read_learner_texts(folder.file("c.txt", "a\xff\n")), Error);
    EXPECT_THROW(read_learner_texts(folder.file("d.jsonl", "{\"id\":7}\n")), Error);
}

TEST(LearnerTexts, ThatAreBadAreSkippedWhereTheyMayBe) {
    const TemporaryFolder folder;
    int64_t bad_lines = 0;
    const JsonLinesOptions options = {.skip_bad = true, .bad_lines = &bad_lines};
    const auto lines = read_learner_texts(folder.file("a.txt", std::string("a\xff\nI has .\nn\0n\nYes .", 20)), options);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].id, "2");
    EXPECT_EQ(lines[1].id, "4");
    EXPECT_EQ(bad_lines, 2);
    EXPECT_THROW(read_learner_texts(folder.file("b.txt", "a\xff\n"), options), Error);
}

}  // namespace
}  // namespace craft
