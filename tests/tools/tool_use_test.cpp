#include "tools/tool_use.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

const std::vector<ToolCall> kGold{WordCountCheck{300, Relation::less_than}, KeywordKeepRemovalCheck{"eat", true}};

TEST(ToolUse, PerfectWhateverTheWriting) {
    const ToolUse use = score_tool_use(parse_calls("keyword_keep_removal_check('eat', 'keep')\nword_count_check(300, 'less "
                                                   "than')\nword_count_check(n=300, relation='less than')"),
                                       kGold);
    EXPECT_DOUBLE_EQ(use.tool_f1, 1);
    EXPECT_DOUBLE_EQ(use.constraint_f1, 1);
    EXPECT_TRUE(use.exact_match);
}

TEST(ToolUse, EachDistinctUnusableCallIsOneWrongPrediction) {
    // Right: text_eval and the word count. Wrong: two distinct unusable calls, one of them twice.
    const ToolUse use = score_tool_use(
        parse_calls("text_eval()\nword_count_check(300, 'less than')\nfoo(1)\nfoo(1)\nword_count_check('x')"), kGold);
    EXPECT_EQ(use.unusable, 2);
    EXPECT_DOUBLE_EQ(use.tool_f1, 2.0 * 2 / (4 + 3));
    EXPECT_DOUBLE_EQ(use.constraint_f1, 2.0 * 1 / (3 + 2));
    EXPECT_FALSE(use.exact_match);
}

TEST(ToolUse, TextEvalAloneAlreadyScores) {
    const ParsedCalls nothing = parse_calls("");
    EXPECT_DOUBLE_EQ(score_tool_use(nothing, {}).tool_f1, 1);
    EXPECT_DOUBLE_EQ(score_tool_use(nothing, {kGold[0]}).tool_f1, 2.0 / 3);
    EXPECT_DOUBLE_EQ(score_tool_use(nothing, kGold).tool_f1, 0.5);
    EXPECT_DOUBLE_EQ(score_tool_use(nothing, kGold).constraint_f1, 0);
}

TEST(ToolUse, WithoutGold) {
    EXPECT_DOUBLE_EQ(score_tool_use(parse_calls("text_eval()"), {}).constraint_f1, 1);
    EXPECT_TRUE(score_tool_use(parse_calls("text_eval()"), {}).exact_match);
    EXPECT_DOUBLE_EQ(score_tool_use(parse_calls("foo(1)"), {}).constraint_f1, 0);
    EXPECT_DOUBLE_EQ(score_tool_use(parse_calls("foo(1)"), {}).tool_f1, 2.0 / 3);
}

TEST(PublishedToolF1, TakesStringsAsTheyStand) {
    const std::vector<std::string> gold{"word_count_check(300, \"less than\")"};
    EXPECT_DOUBLE_EQ(published_tool_f1({"python", gold[0]}, gold), 1);
    EXPECT_DOUBLE_EQ(published_tool_f1({"word_count_check(300, 'less than')"}, gold), 0.5);
    EXPECT_DOUBLE_EQ(published_tool_f1({"plaintext", "text_eval()", gold[0], gold[0]}, gold), 0.8);
}

}  // namespace
}  // namespace craft
