#include "text/whole_words.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(CountWhole, LeavesOutPartsOfLongerWords) {
    EXPECT_EQ(count_whole("Ann, Annual, Joann, Ann.", "Ann"), 2);
    EXPECT_EQ(count_whole("\\in A \\infty \\in2", "\\in"), 2) << "a digit ends a command";
    EXPECT_EQ(count_whole("747 74 7", "74"), 1);
    EXPECT_EQ(count_whole("Éa É", "É"), 1);
    EXPECT_EQ(count_whole("$$$", "$"), 3);
    EXPECT_EQ(count_whole("aaa aa", "aa"), 1);
    EXPECT_EQ(count_whole("a", ""), 0);
    EXPECT_EQ(count_whole("", "a"), 0);
}

}  // namespace
}  // namespace craft
