#include "core/ascii.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(Ascii, LettersAlone) {
    EXPECT_EQ(ascii_lower("aZ[\xc3\x84"), "az[\xc3\x84") << "two bytes of a letter beyond ASCII stay";
    EXPECT_TRUE(is_ascii_letter('z') && is_ascii_letter('A'));
    EXPECT_FALSE(is_ascii_letter('[') || is_ascii_letter('`') || is_ascii_letter('\xc3'));
}

TEST(Ascii, ComparedInAnyCase) {
    EXPECT_TRUE(equals_in_any_case("Plan", "pLAN"));
    EXPECT_FALSE(equals_in_any_case("Plan", "Plane"));
    EXPECT_TRUE(starts_in_any_case("Planes", "PLAN"));
    EXPECT_FALSE(starts_in_any_case("Pla", "plan"));
    EXPECT_EQ(find_in_any_case("A pLan", "PLAN"), 2u);
    EXPECT_EQ(find_in_any_case("A pla", "plan"), std::string_view::npos);
}

TEST(Ascii, Stripped) {
    EXPECT_EQ(stripped(" \t\r\n a b\n"), "a b");
    EXPECT_EQ(stripped(" \n"), "");
    EXPECT_EQ(stripped("*a*b*", "*"), "a*b");
    EXPECT_EQ(stripped("\xc2\xa0"
                       "a"),
              "\xc2\xa0"
              "a")
        << "a blank of Unicode";
}

}  // namespace
}  // namespace craft
