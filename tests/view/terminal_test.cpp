#include "view/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "view/wrapped.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

DisplayPage page_of(const std::string& text, int indent = 0, int hanging = 0) {
    return {{.indent = indent, .text = {{text, Tone::plain}}, .beside = {}, .hanging = hanging}};
}

TEST(Layout, WordsStayWholeAndLinesFit) {
    EXPECT_THAT(lines_of(lay_out(page_of("one two three four five six"), {.width = 20})),
                ElementsAre("one two three four", "five six"));
    EXPECT_THAT(lines_of(lay_out(page_of("one two three four five", 2, 4), {.width = 20})),
                ElementsAre("  one two three four", "      five"));
    EXPECT_THAT(lines_of(lay_out(page_of("a\n\n  b"), {.width = 20})), ElementsAre("a", "", "  b"));
}

TEST(Layout, AWordThatFitsNowhereIsCut) {
    EXPECT_THAT(lines_of(lay_out(page_of("aa " + std::string(45, 'x')), {.width = 20})),
                ElementsAre("aa", std::string(20, 'x'), std::string(20, 'x'), "xxxxx"));
}

// No line is wider than the terminal, whatever stands in it.
TEST(Layout, WidthsAreThoseOnATerminal) {
    EXPECT_EQ(display_width("e\u0301"), 1);  // a combining accent
    EXPECT_EQ(display_width("\u6f22\u5b57"), 4);
    EXPECT_EQ(display_width("a\u200bb"), 2);
    for (const std::string& word : {std::string("\u6f22\u5b57"), std::string("word"), std::string("\xff\xfe")}) {
        std::string text;
        for (int i = 0; i < 100; ++i) text += word + (i % 3 == 0 ? " " : "");
        for (const int width : {20, 21, 40, 137})
            for (const std::string& line : lines_of(lay_out(page_of(text), {.width = width})))
                EXPECT_LE(display_width(line), width);
    }
}

TEST(Layout, NothingInATextMovesTheCursorOrTurnsTheDirection) {
    const std::string hostile = "a\x1b[2Jb\rc\u0085d\u202ee\u2066f\x7fg";
    for (const bool colour : {false, true}) {
        const std::string out = lay_out(page_of(hostile), {.width = 80, .height = 24, .colour = colour});
        EXPECT_EQ(out, "a\uFFFD[2Jb\uFFFDc\uFFFDd\uFFFDe\uFFFDf\uFFFDg\n");
    }
}

TEST(Layout, ChangedWordsAreInColourOrInBrackets) {
    const DisplayPage page = {{.text = {{"a ", Tone::plain}, {"b ", Tone::removed}, {"c", Tone::added}}, .beside = {}}};
    EXPECT_EQ(lay_out(page, {.width = 80}), "a [-b-] {+c+}\n");
    const std::string coloured = lay_out(page, {.width = 80, .height = 24, .colour = true});
    EXPECT_THAT(coloured, HasSubstr("\x1b["));
    EXPECT_THAT(coloured, Not(HasSubstr("{+")));
}

TEST(Layout, TwoStandBesideEachOtherWhereThereIsRoom) {
    const DisplayPage page = {{.text = {{"left side", Tone::plain}}, .beside = {{"right side", Tone::plain}}}};
    EXPECT_THAT(lines_of(lay_out(page, {.width = 83})), ElementsAre("left side" + std::string(34, ' ') + "right side"));
    EXPECT_THAT(lines_of(lay_out(page, {.width = 60})), ElementsAre("left side", "right side"));
}

TEST(Layout, ADeepIndentLeavesHalfOfTheWidth) {
    const auto lines = lines_of(lay_out(page_of("one two three four five", 200), {.width = 20}));
    for (const std::string& line : lines) EXPECT_LE(line.size(), 20U);
    EXPECT_EQ(lines[0], std::string(10, ' ') + "one two");
}

TEST(Terminals, ColumnsBeatsAndAPipeHasNoColour) {
    ::setenv("COLUMNS", "40", 1);
    EXPECT_EQ(terminal_of(-1).width, 40);
    EXPECT_FALSE(terminal_of(-1).colour);
    EXPECT_FALSE(terminal_of(-1).is_one);
    ::setenv("COLUMNS", "3", 1);
    EXPECT_EQ(terminal_of(-1).width, kLeastWidth);
    for (const char* wrong : {"", "x", "-5", "99999999999999999999"}) {
        ::setenv("COLUMNS", wrong, 1);
        EXPECT_EQ(terminal_of(-1).width, 80) << wrong;
    }
    ::unsetenv("COLUMNS");
}

}  // namespace
}  // namespace craft
