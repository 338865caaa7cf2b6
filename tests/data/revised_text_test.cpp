#include "data/revised_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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

TEST(RevisedTexts, AreDrawnByTheirIds) {
    std::vector<RevisedText> texts;
    for (int i = 0; i < 50; ++i) texts.push_back({std::to_string(i), "text"});
    const auto ids = [](const std::vector<RevisedText>& drawn) {
        std::set<std::string> found;
        for (const RevisedText& one : drawn) found.insert(one.id);
        return found;
    };
    const std::set<std::string> ten = ids(drawn_texts(texts, 10, 1));
    EXPECT_EQ(ten.size(), 10u);
    std::reverse(texts.begin(), texts.end());
    EXPECT_EQ(ids(drawn_texts(texts, 10, 1)), ten) << "whatever their order";
    EXPECT_NE(ids(drawn_texts(texts, 10, 2)), ten);
    EXPECT_EQ(drawn_texts(texts, 99, 1).size(), 50u);
    EXPECT_GT(std::stoi(drawn_texts(texts, 10, 1).front().id), std::stoi(drawn_texts(texts, 10, 1).back().id))
        << "in their order";
}

}  // namespace
}  // namespace craft
