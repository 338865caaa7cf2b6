#include "text/numbers.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

TEST(Numbers, Words) {
    EXPECT_EQ(number_words(0), "zero");
    EXPECT_EQ(number_words(42), "forty-two");
    EXPECT_EQ(number_words(105), "one hundred and five");
    EXPECT_EQ(number_words(1200), "one thousand two hundred");
    EXPECT_EQ(number_words(2007), "two thousand and seven");
    EXPECT_EQ(number_words(999999), "nine hundred and ninety-nine thousand nine hundred and ninety-nine");
    EXPECT_THROW(number_words(-1), Error);
    EXPECT_THROW(number_words(1'000'000), Error);
}

TEST(Numbers, Ordinals) {
    EXPECT_EQ(ordinal_digits(1), "1st");
    EXPECT_EQ(ordinal_digits(12), "12th");
    EXPECT_EQ(ordinal_digits(22), "22nd");
    EXPECT_EQ(ordinal_digits(113), "113th");
    EXPECT_EQ(ordinal_words(3), "third");
    EXPECT_EQ(ordinal_words(23), "twenty-third");
    EXPECT_EQ(ordinal_words(30), "thirtieth");
    EXPECT_EQ(ordinal_words(100), "one hundredth");
    EXPECT_EQ(ordinal_words(105), "one hundred and fifth");
}

TEST(Numbers, ParsesWhatItPrints) {
    for (int64_t value = 0; value < 1'000'000; value += value < 3000 ? 1 : 997) {
        ASSERT_EQ(parse_number(number_words(value)), value);
        ASSERT_EQ(parse_ordinal(ordinal_words(value)), value) << ordinal_words(value);
        ASSERT_EQ(parse_number(std::to_string(value)), value);
        ASSERT_EQ(parse_ordinal(ordinal_digits(value)), value);
    }
}

TEST(Numbers, ParsesOtherSpellings) {
    EXPECT_EQ(parse_number(" Forty Two "), 42);
    EXPECT_EQ(parse_number("a hundred"), 100);
    EXPECT_EQ(parse_number("two hundred fifty"), 250);
    EXPECT_EQ(parse_number("twelve hundred"), 1200);
    EXPECT_EQ(parse_number("1,200"), 1200);
    EXPECT_EQ(parse_number("1,000,000"), 1'000'000);
    EXPECT_EQ(parse_ordinal("Twenty third"), 23);
    EXPECT_EQ(parse_ordinal("hundredth"), 100);
    EXPECT_EQ(parse_ordinal("1,000TH"), 1000);
}

TEST(Numbers, RefusesEverythingElse) {
    for (const char* text : {"",
                             " ",
                             "-5",
                             "3.5",
                             "5 words",
                             "five words",
                             "one two",
                             "twenty twelve",
                             "hundred and",
                             "two hundred and",
                             "zero hundred",
                             "thousand",
                             "one thousand thousand",
                             "1,00",
                             "1,0000",
                             ",100",
                             "100,",
                             "12,34,567",
                             "9223372036854775808",
                             "99999999999999999999",
                             "first",
                             "zero thousand"}) {
        EXPECT_FALSE(parse_number(text)) << text;
    }
    for (const char* text : {"", "th", "five", "first second", "3", "rd", "twenty-three", "third place", "1,0th"}) {
        EXPECT_FALSE(parse_ordinal(text)) << text;
    }
}

}  // namespace
}  // namespace craft
