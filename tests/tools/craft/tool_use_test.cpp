#include "tools/craft/tool_use.h"

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

TEST(ToolUse, ACallThatCannotBeUsedCountsOnceHoweverItIsSpelled) {
    const auto unusable = [](const char* calls) { return score_tool_use(parse_calls(calls), {}).unusable; };
    EXPECT_EQ(unusable("foo(1)\nfoo( 1 )\nfoo (1)\n`foo(1)`"), 1);
    EXPECT_EQ(unusable("foo('a b')\nfoo(\"a b\")\nfoo( \"a b\" )"), 1);
    EXPECT_EQ(unusable("foo('a b')\nfoo('ab')"), 2);
    EXPECT_EQ(unusable("word_count_check(3, 'less'\nword_count_check( 3, \"less\""), 1);
}

// With no gold, each is one wrong prediction beside text_eval(): F1 2/3 instead of 1.
TEST(ToolUse, WhatLooksLikeACallIsNeverPassedOver) {
    for (const char* line : {"word_count_check 300, \"less than\"", "word_count_check[3, 'equal']", "word_count_check{3}",
                             "word_count_check: 300, \"less than\"", "foo(1", "check(\"x\", \"keep\"", "foo(1) + 2",
                             "word-count-check(3, 'equal')", "été(3)"}) {
        const ToolUse use = score_tool_use(parse_calls(line), {});
        EXPECT_EQ(use.unusable, 1) << line;
        EXPECT_DOUBLE_EQ(use.tool_f1, 2.0 / 3) << line;
    }
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

TEST(PublishedToolUse, TakesStringsAsTheyStand) {
    const std::vector<std::string> gold{"word_count_check(300, \"less than\")"};
    const auto published_tool_f1 = [&](const std::vector<std::string>& recorded) {
        return published_tool_use(recorded, gold).tool_f1;
    };
    EXPECT_DOUBLE_EQ(published_tool_f1({"python", gold[0]}), 1);
    EXPECT_DOUBLE_EQ(published_tool_f1({"word_count_check(300, 'less than')"}), 0.5);
    EXPECT_DOUBLE_EQ(published_tool_f1({"plaintext", "text_eval()", gold[0], gold[0]}), 0.8);
}

}  // namespace
}  // namespace craft
