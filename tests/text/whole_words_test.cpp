#include "text/whole_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace craft {
namespace {

using testing::ElementsAre;
using Parts = std::vector<std::string>;

std::vector<int64_t> counts(const Parts& parts, std::string_view text) {
    return WholeParts(parts).count(text);
}

int64_t count_one(std::string_view text, const std::string& part) {
    return counts({part}, text)[0];
}

TEST(WholeWords, AreNoPartsOfLongerOnes) {
    EXPECT_EQ(count_one("Ann, Annual, Joann, Ann.", "Ann"), 2);
    EXPECT_EQ(count_one("\\in A \\infty \\in2", "\\in"), 2) << "a digit ends a command";
    EXPECT_EQ(count_one("747 74 7", "74"), 1);
    EXPECT_EQ(count_one("Éa É", "É"), 1);
    EXPECT_EQ(count_one("$$$", "$"), 3);
    EXPECT_EQ(count_one("aaa aa", "aa"), 1);
    EXPECT_EQ(count_one("a", ""), 0);
    EXPECT_EQ(count_one("", "a"), 0);
    EXPECT_EQ(count_one(std::string("a\0b a", 5), std::string("a\0b", 3)), 1);
    EXPECT_TRUE(counts({}, "a").empty());
    EXPECT_THAT(counts({"a", "a"}, "a a"), ElementsAre(2, 0)) << "given twice";
}

// Five names: New York, York, New York City, Ann, Annual.
TEST(WholeWords, TheLongestCountsWherePartsNest) {
    EXPECT_THAT(counts({"New York", "York", "New York City", "Ann", "Annual"},
                       "New York and York are not New York City. Ann read the Annual, Ann's."),
                ElementsAre(1, 1, 1, 2, 1));
    EXPECT_THAT(counts({"$\\alpha$", "\\alpha", "$x$", "$$x$$"}, "$\\alpha$ and \\alpha, $x$ and $$x$$"),
                ElementsAre(1, 1, 1, 1));
    EXPECT_THAT(counts({"a b", "b c d"}, "a b c d"), ElementsAre(1, 0)) << "from the left, without overlap";
    EXPECT_THAT(counts({"New York Cit", "New"}, "New York City"), ElementsAre(0, 1)) << "the longer one does not end whole";
}

TEST(WholeWords, ArePresentWithinOthersToo) {
    const Parts parts = {"York", "New York", "City", "Yor", ""};
    EXPECT_THAT(WholeParts(parts).present("in New York"), ElementsAre(true, true, false, false, false));
}

// Looked for one by one these would be 20,000 passes over 200 KB, which take minutes.
TEST(WholeWords, AreFoundInOnePass) {
    Parts parts;
    std::string text;
    for (int i = 0; i < 20000; ++i) {
        parts.push_back("\\name" + std::string(1, static_cast<char>('a' + i % 26)) + std::to_string(i));
        text += parts.back() + " ";
    }
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(counts(parts, text), std::vector<int64_t>(parts.size(), 1));
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
}

}  // namespace
}  // namespace craft
