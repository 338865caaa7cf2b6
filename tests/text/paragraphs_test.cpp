#include "text/paragraphs.h"

#include <gtest/gtest.h>

#include "text/utf8.h"

namespace craft {
namespace {

using Views = std::vector<std::string_view>;

TEST(Paragraphs, AreLinesUnlessEmptyLinesPartThem) {
    EXPECT_EQ(paragraph_views("One. Two."), Views({"One. Two."}));
    EXPECT_EQ(paragraph_views("A title\nOne. Two.\r\nThree."), Views({"A title", "One. Two.", "Three."}));
    EXPECT_EQ(paragraph_views("One is\nlong. Two.\n\nThree."), Views({"One is\nlong. Two.", "Three."}));
    EXPECT_EQ(paragraph_views(" \n\nOne.\r\n \t\r\n\nTwo. \n"), Views({"One.", "Two."}));
    EXPECT_EQ(paragraph_views("\n\nOne.\nTwo.\n\n"), Views({"One.", "Two."})) << "empty lines around a text part nothing";
    EXPECT_TRUE(paragraph_views("").empty());
    EXPECT_TRUE(paragraph_views(" \n\n ").empty());
}

TEST(Paragraphs, WhatStandsBetweenThemIsKept) {
    const auto shouted = [](const std::string& text) { return uppercase_first(text) + "!"; };
    EXPECT_EQ(with_paragraphs(" one\n \n\ttwo\nlines \n", shouted), " One!\n \n\tTwo\nlines! \n");
    EXPECT_EQ(with_paragraphs("one\r\ntwo", shouted), "One!\r\nTwo!");
    EXPECT_EQ(with_paragraphs("", shouted), "");
    EXPECT_EQ(with_paragraphs("\n", shouted), "\n");
}

}  // namespace
}  // namespace craft
