#include "text/utf8.h"

#include <gtest/gtest.h>

#include <string>

#include "text/code_points.h"

namespace craft {
namespace {

TEST(Lowercase, FollowsUnicodeNotTheLocale) {
    EXPECT_EQ(lowercase("MiXed 123"), "mixed 123");
    EXPECT_EQ(lowercase("ÀÉÎ ẞ"), "àéî ß");
    EXPECT_EQ(lowercase("İ"), "i\xCC\x87");    // two code points, as str.lower() gives
    EXPECT_EQ(lowercase("ΟΔΟΣ Σ"), "οδος σ");  // final sigma only at the end of a word
}

TEST(Lowercase, LeavesBadBytesAlone) {
    EXPECT_EQ(lowercase("A\xFF"
                        "B\xC3"),
              "a\xFF"
              "b\xC3");
    EXPECT_EQ(lowercase("É\x80É"), "é\x80é");
}

TEST(UppercaseFirst, TakesOneCodePoint) {
    EXPECT_EQ(uppercase_first(""), "");
    EXPECT_EQ(uppercase_first("word Word"), "Word Word");
    EXPECT_EQ(uppercase_first("élan"), "Élan");
    EXPECT_EQ(uppercase_first("\xFFx"), "\xFFx");
}

TEST(Trim, TakesPythonsWhiteSpace) {
    EXPECT_EQ(trim(" \t\n\x1C a b \u00A0\u2028\u3000"), "a b");
    EXPECT_EQ(trim("\u200B"), "\u200B");  // zero-width space is none
    EXPECT_EQ(trim(" \u00A0"), "");
    EXPECT_EQ(trim("\x80 x \xE3\x80"), "\x80 x \xE3\x80");
}

TEST(CodePoints, CountsAndGoesBothWays) {
    EXPECT_EQ(count_code_points("aé中😀"), 4u);
    EXPECT_EQ(count_code_points("a\xFF\xE2\x82"), 4u);
    const std::string bytes = "aé中😀\xFF\xE2\x82z";
    std::string back;
    for (char32_t c : decode_utf8(bytes)) append_utf8(back, c);
    EXPECT_EQ(back, bytes);
    EXPECT_EQ(code_point_before(bytes, 3).value, U'é');
    EXPECT_EQ(code_point_before(bytes, bytes.size() - 1).value, char32_t{0xDC82});
}

}  // namespace
}  // namespace craft
