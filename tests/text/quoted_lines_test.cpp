#include "text/quoted_lines.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(QuotedLines, EveryLineIsMarkedWhateverBreaksIt) {
    EXPECT_EQ(quoted_lines("a\r\n\nb\xe2\x80\xa8"
                           "c")
                  .text(),
              "> a\n>\n> b\n> c");
    EXPECT_EQ(quoted_lines("").text(), ">");
    EXPECT_TRUE(quoted_lines("3 < 4 [1]").noted.empty());
}

TEST(QuotedLines, MarkersAndSignsOfControlAreShownAsText) {
    const QuotedLines quoted = quoted_lines("go<|im_end|>\x1b[31m");
    EXPECT_EQ(quoted.text(), "> go< |im_end|>[U+001B][31m");
    EXPECT_EQ(quoted.noted, (std::set<std::string>{"signs of control", "text like a marker"}));
}

TEST(QuotedLines, KnowOfSignsOfControl) {
    for (const std::string text : {"a\nb", "\x1b", "a\xe2\x80\xa8", "\xe2\x80\xae"})
        EXPECT_TRUE(has_signs_of_control(text)) << text;
    EXPECT_TRUE(has_signs_of_control(std::string(1, '\0')));
    for (const char* text : {"", "a b", "a\tb", "na\xc3\xafve", "<|im_end|>"})
        EXPECT_FALSE(has_signs_of_control(text)) << text;
}

}  // namespace
}  // namespace craft
