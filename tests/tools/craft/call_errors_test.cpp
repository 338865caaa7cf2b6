#include "tools/craft/call_errors.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tools/craft/tool_use.h"

namespace craft {
namespace {

const std::vector<ToolCall> kThreeGold = {WordCountCheck{50, Relation::less_than}, KeywordKeepRemovalCheck{"river", true},
                                          SentenceModificationCheck{{1, 3}, false}};
const std::string kRightCalls =
    "word_count_check(50, \"less than\")\nkeyword_keep_removal_check(\"river\", \"keep\")\n"
    "sentence_modification_check([1, 3], \"unchange\")\n";

CallErrors errors_of(const std::string& calls, const std::vector<ToolCall>& gold = kThreeGold) {
    return call_errors(parse_calls(calls), gold);
}

// The right calls with one line in place of another.
CallErrors with(const std::string& right, const std::string& wrong) {
    std::string calls = kRightCalls;
    calls.replace(calls.find(right), right.size(), wrong);
    return errors_of(calls);
}

TEST(CallErrors, RightCallsHaveNone) {
    EXPECT_TRUE(errors_of(kRightCalls + "text_eval()").empty());
    EXPECT_TRUE(errors_of("sentence_check([3, 1], 'unchange')\n" + kRightCalls).empty()) << "another way to write the third";
    EXPECT_TRUE(errors_of("", {}).empty());
}

TEST(CallErrors, OneArgumentSaysTheKind) {
    EXPECT_EQ(with("50, \"less than\"", "51, \"less than\""), (CallErrors{{"off_by_one", 1}}));
    EXPECT_EQ(with("50, \"less than\"", "49, \"less than\""), (CallErrors{{"off_by_one", 1}}));
    EXPECT_EQ(with("50, \"less than\"", "52, \"less than\""), (CallErrors{{"another_number", 1}}));
    EXPECT_EQ(with("50, \"less than\"", "50, \"more than\""), (CallErrors{{"wrong_relation", 1}}));
    EXPECT_EQ(with("50, \"less than\"", "51, \"more than\""), (CallErrors{{"several_arguments", 1}}));
    EXPECT_EQ(with("\"keep\"", "\"remove\""), (CallErrors{{"wrong_relation", 1}}));
    EXPECT_EQ(with("\"river\"", "\"River\""), (CallErrors{{"keyword_altered", 1}}));
    EXPECT_EQ(with("[1, 3]", "[1, 2]"), (CallErrors{{"wrong_sentence", 1}}));
    EXPECT_EQ(with("[1, 3]", "[1]"), (CallErrors{{"wrong_sentence", 1}}));
    EXPECT_EQ(with("\"unchange\"", "\"change\""), (CallErrors{{"wrong_relation", 1}}));
}

TEST(CallErrors, CallsThatStandForNoneOrAreMissing) {
    EXPECT_EQ(errors_of(""), (CallErrors{{"no_call", 3}}));
    EXPECT_EQ(errors_of("text_eval()"), (CallErrors{{"no_call", 3}})) << "it checks nothing";
    EXPECT_EQ(with("keyword_keep_removal_check(\"river\", \"keep\")", ""), (CallErrors{{"left_out", 1}}));
    EXPECT_EQ(errors_of(kRightCalls + "sentence_count_check(4, \"equal\")"), (CallErrors{{"too_many", 1}}));
    EXPECT_EQ(errors_of(kRightCalls + "word_count_check(51, \"less than\")"), (CallErrors{{"too_many", 1}}))
        << "the gold call that it resembles is there";
    EXPECT_EQ(errors_of(kRightCalls + "foo(1)\nfoo( 1 )"), (CallErrors{{"too_many", 1}}))
        << "one call, however it is spelled";
    EXPECT_EQ(with("word_count_check(50, \"less than\")", "sentence_count_check(50, \"less than\")"),
              (CallErrors{{"wrong_tool", 1}}));
    EXPECT_EQ(with("word_count_check(50, \"less than\")", "word_count_check(50, \"fewer\")"), (CallErrors{{"unusable", 1}}));
    EXPECT_EQ(errors_of("detect_keyword()", {}), (CallErrors{{"too_many", 1}}));
}

// A range takes two calls of one tool: each wrong one stands for the nearest missing one. 61 is 1 from 60 and differs from
// 40 in two arguments; so 42 is left for 40.
TEST(CallErrors, TheNearestCallsOfATool) {
    const std::vector<ToolCall> range = {WordCountCheck{40, Relation::more_than}, WordCountCheck{60, Relation::less_than}};
    EXPECT_EQ(errors_of("word_count_check(61, 'less than')\nword_count_check(42, 'more than')", range),
              (CallErrors{{"off_by_one", 1}, {"another_number", 1}}));
    EXPECT_EQ(errors_of("word_count_check(60, 'less than')\nword_count_check(60, 'more than')", range),
              (CallErrors{{"another_number", 1}}));
}

// Nothing is right: two of four gold calls have a call of their tool, one an unusable one and one another tool's; one call
// is too many.
TEST(CallErrors, KindsAddUpToWrongAndMissingCalls) {
    std::vector<ToolCall> gold = kThreeGold;
    gold.push_back(SentenceLengthCheck{20, Relation::less_than});
    const std::string calls =
        "word_count_check(51, 'less than')\nkeyword_keep_removal_check('stream', 'keep')\nbar(2)\n"
        "sentence_count_check(3, 'equal')\nsentence_count_check(4, 'equal')\ntext_eval()";
    const CallErrors errors = errors_of(calls, gold);
    EXPECT_EQ(errors,
              (CallErrors{{"off_by_one", 1}, {"keyword_altered", 1}, {"unusable", 1}, {"wrong_tool", 1}, {"too_many", 1}}));
    const CallCounts counts = score_tool_use(parse_calls(calls), gold).counts;
    int64_t sum = 0;
    for (const auto& [kind, count] : errors) {
        sum += count;
        EXPECT_NE(std::count(call_error_kinds().begin(), call_error_kinds().end(), kind), 0) << kind;
    }
    EXPECT_EQ(sum, counts.predicted - counts.correct) << "none is left out";
    EXPECT_EQ(sum - errors.at("too_many"), counts.gold - counts.correct);
}

}  // namespace
}  // namespace craft
