#include "core/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace craft {
namespace {

using namespace std::string_literals;
constexpr size_t kNone = std::string_view::npos;

TEST(Utf8, AcceptsEveryLengthOfSequence) {
    EXPECT_EQ(invalid_utf8_at(""), kNone);
    EXPECT_EQ(invalid_utf8_at("plain ascii of more than eight bytes\0too"s), kNone);
    EXPECT_EQ(invalid_utf8_at("\xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"),
              kNone);
}

TEST(Utf8, ReportsTheFirstBadByte) {
    EXPECT_EQ(invalid_utf8_at("\x80"), 0u);              // a continuation byte alone
    EXPECT_EQ(invalid_utf8_at("12345678\xC0\x80"), 8u);  // overlong NUL
    EXPECT_EQ(invalid_utf8_at("a\xC1\xBF"), 1u);         // overlong
    EXPECT_EQ(invalid_utf8_at("ab\xE0\x9F\xBF"), 2u);    // overlong, three bytes
    EXPECT_EQ(invalid_utf8_at("\xED\xA0\x80"), 0u);      // surrogate
    EXPECT_EQ(invalid_utf8_at("\xF0\x8F\xBF\xBF"), 0u);  // overlong, four bytes
    EXPECT_EQ(invalid_utf8_at("\xF4\x90\x80\x80"), 0u);  // above U+10FFFF
    EXPECT_EQ(invalid_utf8_at("\xF5\x80\x80\x80"), 0u);
    EXPECT_EQ(invalid_utf8_at("caf\xC3"), 3u);  // cut short
    EXPECT_EQ(invalid_utf8_at("\xE2\x82"), 0u);
    EXPECT_EQ(invalid_utf8_at("\xC3\xA9\xFF"), 2u);
    EXPECT_EQ(invalid_utf8_at("\xE2\x28\xA1"), 0u);
}

TEST(Utf8, OneLineHasNoControlCharacters) {
    EXPECT_EQ(one_line("a\x1b[31mb\nc\td\x7f"), "a [31mb c d ");
    EXPECT_EQ(one_line("\xC2\x9B"
                       "2J\xC2\x80\xC2\xA0\xC3\x9B"),
              " 2J \xC2\xA0\xC3\x9B");  // of two bytes each
    EXPECT_EQ(one_line("\xC2"), "\xC2");
}

TEST(Utf8, ShortenedNeverCutsInsideACodePoint) {
    EXPECT_EQ(shortened("abc", 3), "abc");
    EXPECT_EQ(shortened("abcd", 3), "abc...");
    EXPECT_EQ(shortened("ab\xC3\xA9z", 3), "ab...");
    EXPECT_EQ(shortened("ab\xC3\xA9z", 4), "ab\xC3\xA9...");
}

}  // namespace
}  // namespace craft
