#include "english/letter_changes.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

// recieve -> receive swaps two letters; kitten -> sitting changes k and e and puts in g.
TEST(LetterChanges, AreCounted) {
    EXPECT_EQ(letter_changes("", "abc"), 3U);
    EXPECT_EQ(letter_changes("recieve", "receive"), 1U);
    EXPECT_EQ(letter_changes("kitten", "sitting"), 3U);
    EXPECT_EQ(letter_changes("experiance", "experience"), 1U);
    EXPECT_EQ(letter_changes("goverment", "government"), 1U);
    EXPECT_EQ(letter_changes("caf\xC3\xA9", "cafe"), 1U) << "of code points, not of bytes";
    EXPECT_EQ(letter_changes("abc", "abc"), 0U);
}

}  // namespace
}  // namespace craft
