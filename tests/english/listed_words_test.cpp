#include "english/listed_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(ListedWords, AreALineEach) {
    EXPECT_THAT(parse_word_lines("# nouns\ncar\r\n  bus \n\nice cream\ncar\n#\n", "w.txt"),
                UnorderedElementsAre("car", "bus", "ice cream"));
    EXPECT_THAT(message_of([] { parse_word_lines("# none\n\n", "w.txt"); }),
                HasSubstr("w.txt: expected one word per line, got none"));
    EXPECT_THAT(message_of([] { parse_word_lines("car\n\xFF\n", "w.txt"); }), HasSubstr("w.txt:2: expected UTF-8"));
}

TEST(ListedWords, LinesKnowTheirPlaces) {
    std::string said;
    for_each_list_line("# top\n\n a: b\nc", "f", [&](std::string_view line, const std::string& place) {
        said += std::string(line) + " at " + place + ";";
    });
    EXPECT_EQ(said, "a: b at f:3;c at f:4;");
}

TEST(ListedWords, AreReadOnce) {
    const WordLines& nouns = listed_words("count_nouns");
    EXPECT_TRUE(nouns.contains("idea"));
    EXPECT_EQ(&listed_words("count_nouns"), &nouns);
    EXPECT_THAT(message_of([] { listed_words("no_such_list"); }), HasSubstr("no_such_list.txt"));
}

}  // namespace
}  // namespace craft
