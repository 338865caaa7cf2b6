#include "text/text_replacement.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

TEST(TextReplacement, ChangesInsertsAndLeavesOut) {
    EXPECT_EQ(with_replacement("He go home.", {3, 5, "goes"}), "He goes home.");
    EXPECT_EQ(with_replacement("He goes home.", {3, 3, "often "}), "He often goes home.");
    EXPECT_EQ(with_replacement("He goes to home.", {7, 10, ""}), "He goes home.");
    EXPECT_EQ(with_replacement("Yes", {3, 3, "."}), "Yes.");
}

TEST(TextReplacement, StandsWithinItsText) {
    EXPECT_THROW(with_replacement("Yes", {2, 4, ""}), Error);
    EXPECT_THROW(with_replacement("Yes", {2, 1, ""}), Error);
}

TEST(TextReplacement, IsFoundBetweenTexts) {
    EXPECT_EQ(replacement_between("He go home", "He goes home"), (TextReplacement{5, 5, "es"}));
    EXPECT_EQ(replacement_between("the the", "the"), (TextReplacement{3, 7, ""}));
    EXPECT_EQ(replacement_between("same", "same"), (TextReplacement{4, 4, ""}));
    EXPECT_EQ(replacement_between("", "a"), (TextReplacement{0, 0, "a"}));
    EXPECT_EQ(replacement_between("aXa", "aYYa"), (TextReplacement{1, 2, "YY"}));
}

}  // namespace
}  // namespace craft
