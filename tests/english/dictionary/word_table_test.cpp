#include "english/dictionary/word_table.h"

#include <gtest/gtest.h>

#include <string>

namespace craft {
namespace {

TEST(WordTable, FindsWhatWasAddedAndNothingElse) {
    WordTable table;
    EXPECT_FALSE(table.find("cat"));
    for (uint16_t i = 0; i < 5000; ++i) table.add("word" + std::to_string(i), i);
    EXPECT_EQ(table.size(), 5000u);
    for (uint16_t i = 0; i < 5000; ++i) ASSERT_EQ(table.find("word" + std::to_string(i)), i);
    for (const char* absent : {"", "word", "word5000", "Word1"}) EXPECT_FALSE(table.find(absent)) << absent;
}

TEST(WordTable, KeepsTheSmallerNumber) {
    WordTable table;
    table.add("cat", 20);
    table.add("cat", 10);
    table.add("cat", 35);
    EXPECT_EQ(table.find("cat"), 10);
    EXPECT_EQ(table.size(), 1u);
}

TEST(WordTable, LeavesOutWhatIsNoWord) {
    WordTable table;
    table.add("", 1);
    table.add(std::string(70'000, 'a'), 1);
    EXPECT_EQ(table.size(), 0u);
    table.add(std::string(60'000, 'a'), 1);
    EXPECT_EQ(table.find(std::string(60'000, 'a')), 1);
}

}  // namespace
}  // namespace craft
