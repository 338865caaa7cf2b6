#include "tools/grammar/parse_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;

TEST(ParseText, IsEnglishAgain) {
    const ParseText text = parse_text(std::vector<std::string>{"They", "do", "n't", "say", ",", "\xE2\x80\x9C", "it",
                                                               "\xE2\x80\x99s", "so", "(", "far", ")", "."});
    EXPECT_EQ(text.text, "They don't say, \" it's so (far).");
    EXPECT_EQ(text.begins[2], 7u);
    EXPECT_EQ(parse_text(EnglishDocument{}).text, "");
}

TEST(ParseText, KnowsWhichTokensAreLeftOut) {
    EnglishDocument tokens(4);
    tokens[0].text = "the";
    tokens[1].text = " ";
    tokens[1].is_space = true;
    tokens[2].text = "the";
    tokens[3].text = "dog";
    const ParseText text = parse_text(tokens);
    EXPECT_EQ(text.text, "the the dog");
    ConstituentParse parse;
    parse.left_out_words = {{4, 7}, {8, 11}};
    EXPECT_THAT(left_out_tokens(parse, text), ElementsAre(2, 3));
}

}  // namespace
}  // namespace craft
