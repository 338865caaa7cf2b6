// Words, numbers and quotations of an instruction.
#include "data/constraints/instruction_tokens.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

using Words = std::set<std::string>;
using Numbers = std::set<int64_t>;

TEST(InstructionTokens, QuotedWordsAreNoApostrophes) {
    EXPECT_EQ(quoted_in("Keep 'art' and \"the mill,\" but not \u2018old\u2019, \u201cit's\u201d or `x`."),
              (Words{"art", "the mill", "old", "it's", "x"}));
    EXPECT_EQ(quoted_in("Don't touch the writer's and readers' words"), Words{});
    EXPECT_EQ(quoted_in("Keep 'it's' and an unclosed \"one"), (Words{"it's"}));
}

TEST(InstructionTokens, NumbersAreReadAsLongAsTheyGo) {
    EXPECT_EQ(numbers_in("Twice, in the 3rd of one hundred and five, 1,200 or 5-7"), (Numbers{2, 3, 105, 1200, 5, 7}));
    EXPECT_EQ(numbers_in("No more than forty-five or Forty Six words"), (Numbers{45, 46}));
    EXPECT_EQ(numbers_in("(5,21) and 1,045"), (Numbers{5, 21, 1045}));
    EXPECT_EQ(numbers_in("From twelve hundred to 1299, 80\u2013100, a 7-sentence text, 3x"),
              (Numbers{1200, 1299, 80, 100, 7, 3}));
    EXPECT_EQ(numbers_in("The twenty-first and one hundred and fifty and one hundred and eighty"), (Numbers{21, 150, 180}));
    EXPECT_EQ(numbers_in("version 4.5 of abc7"), Numbers{});
}

TEST(InstructionTokens, WordsAreSmallAndWithoutHyphens) {
    std::string shown;
    for (const Token& token : instruction_tokens("Don\u2019t change it word-for-word:\n\n- use 'River' twice!"))
        shown += (shown.empty() ? "" : "|") + (token.kind == Token::Kind::line ? "/" : token.text);
    EXPECT_EQ(shown, "don't|change|it|word|for|word|:|/|-|use|River|twice|times|!");
}

}  // namespace
}  // namespace craft
