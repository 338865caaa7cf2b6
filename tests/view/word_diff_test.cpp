#include "view/word_diff.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

std::string marked(const std::string& before, const std::string& after) {
    std::string all;
    for (const Span& span : word_diff(before, after))
        all += span.tone == Tone::added     ? "+" + span.text + "+"
               : span.tone == Tone::removed ? "-" + span.text + "-"
                                            : span.text;
    return all;
}

TEST(WordDiff, ShowsWhatStaysWhatGoesAndWhatComes) {
    EXPECT_EQ(marked("The old mill was sold.", "The mill was quickly sold."), "The -old -mill was +quickly +sold.");
    EXPECT_EQ(marked("a b", "a b"), "a b");
    EXPECT_EQ(marked("a b", "c d"), "-a b -+c d+");
    EXPECT_EQ(marked("", "new words"), "+new words+");
    EXPECT_EQ(marked("old words", ""), "-old words-");
    EXPECT_EQ(marked("", ""), "");
}

TEST(WordDiff, BlanksAreTheRevisionsAndAreNoDifference) {
    EXPECT_EQ(marked("one  two\nthree", "one two\n\nthree"), "one two\n\nthree");
}

TEST(WordDiff, WhatIsTooLongStandsOneBehindTheOther) {
    std::string many;
    for (size_t i = 0; i <= kMaxDiffWords; ++i) many += "w ";
    const StyledText text = word_diff(many, "w w");
    ASSERT_EQ(text.size(), 2U);
    EXPECT_EQ(text[0].tone, Tone::removed);
    EXPECT_EQ(text[1], (Span{"w w", Tone::added}));
}

}  // namespace
}  // namespace craft
