#include "data/revised_text.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TEST(RevisedTexts, AreReadWithTheirPlaces) {
    const TemporaryFolder folder;
    const auto texts =
        read_revised_texts(folder.file("o.jsonl", "{\"id\":3,\"text\":\"\",\"x\":1}\r\n\r\n{\"id\":\"a\",\"text\":\"é\"}"));
    ASSERT_EQ(texts.size(), 2u);
    EXPECT_EQ(texts[0].id, "3");
    EXPECT_EQ(texts[1].text, "é");
    EXPECT_EQ(texts[1].where, (folder.path() / "o.jsonl").string() + ":3");
    const std::string twice = folder.file("t.jsonl", "{\"id\":3,\"text\":\"\"}\n{\"id\":\"3\",\"text\":\"\"}\n");
    EXPECT_EQ(message_of([&] { read_revised_texts(twice); }), twice + ":2: expected each id once, got '3' again");
    const std::string empty = folder.file("e.jsonl", "");
    EXPECT_EQ(message_of([&] { read_revised_texts(empty); }), empty + ": expected at least one row, got none");
}

}  // namespace
}  // namespace craft
