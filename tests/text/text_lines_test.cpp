#include "text/text_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TextLines, AreCutAtNewlinesOnly) {
    EXPECT_THAT(parse_sentences("a\r\n b \n\n\xE2\x80\xA8x\x0Cy\nlast", "f").sentences,
                ElementsAre("a", "b", "", "x\x0Cy", "last"));
    EXPECT_THAT(parse_sentences("a\n", "f").sentences, ElementsAre("a"));
    EXPECT_THAT(parse_sentences("\xEF\xBB\xBF\x61", "f").sentences, ElementsAre("a"));
    EXPECT_TRUE(parse_sentences("", "f").sentences.empty());
}

TEST(TextLines, SayWhichLineIsNoText) {
    EXPECT_THAT(message_of([] { parse_sentences("a\nb\xFF\n", "f"); }),
                HasSubstr("f:2: expected UTF-8, got another byte at column 2"));
    EXPECT_THAT(message_of([] { parse_sentences(std::string("a\n\0", 3), "f"); }),
                HasSubstr("f:2: expected text, got a NUL byte at column 1"));
    EXPECT_THAT(message_of([] { read_sentences("/nowhere/h.txt"); }), HasSubstr("/nowhere/h.txt: cannot read"));
}

}  // namespace
}  // namespace craft
