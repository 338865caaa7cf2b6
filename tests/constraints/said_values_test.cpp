// Quoted words and numbers of an instruction; keeps_values_test.cpp has more of the numbers.
#include "constraints/said_values.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(SaidValues, QuotedWords) {
    using Words = std::set<std::string>;
    EXPECT_EQ(quoted_in("Keep 'art' and \"the mill,\" but not \u2018old\u2019, \u201cit's\u201d or `x`."),
              (Words{"art", "the mill", "old", "it's", "x"}));
    EXPECT_EQ(quoted_in("Don't touch the writer's and readers' words"), Words{});
    EXPECT_EQ(quoted_in("Keep 'it's' and an unclosed \"one"), (Words{"it's"}));
}

TEST(SaidValues, Numbers) {
    EXPECT_EQ(numbers_in("Twice, in the 3rd of one hundred and five, 1,200 or 5-7"),
              (std::set<int64_t>{2, 3, 105, 1200, 5, 7}));
}

}  // namespace
}  // namespace craft
