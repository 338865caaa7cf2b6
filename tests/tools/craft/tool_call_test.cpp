#include "tools/craft/tool_call.h"

#include <gtest/gtest.h>

#include "tools/craft/craft_tools.h"

namespace craft {
namespace {

TEST(NormalForm, OfEveryTool) {
    EXPECT_EQ(normal_form(TextEval{}), "text_eval()");
    EXPECT_EQ(normal_form(DetectKeyword{}), "detect_keyword()");
    EXPECT_EQ(normal_form(WordCountCheck{300, Relation::less_than}), "word_count_check(300, \"less than\")");
    EXPECT_EQ(normal_form(SentenceCountCheck{7, Relation::equal}), "sentence_count_check(7, \"equal\")");
    EXPECT_EQ(normal_form(SentenceLengthCheck{5, Relation::more_than}), "sentence_length_check(5, \"more than\")");
    EXPECT_EQ(normal_form(KeywordKeepRemovalCheck{"a \"b\" \\c", false}),
              "keyword_keep_removal_check(\"a \\\"b\\\" \\\\c\", \"remove\")");
    EXPECT_EQ(normal_form(KeywordFrequencyCheck{"Été ", 2, Relation::equal}),
              "keyword_frequency_check(\"Été \", 2, \"equal\")");
    EXPECT_EQ(normal_form(SentenceModificationCheck{{9, 2, 9}, true}), "sentence_modification_check([2, 9], \"change\")");
}

TEST(NormalForm, IsWhatTheParserReads) {
    const std::vector<ToolCall> calls{KeywordKeepRemovalCheck{"it's \"so\"\\ \n\t\xFF é", true},
                                      KeywordFrequencyCheck{"\\n", INT64_MAX, Relation::less_than},
                                      SentenceModificationCheck{{3, 1}, false}, TextEval{}};
    for (const ToolCall& call : calls) EXPECT_EQ(parse_call(normal_form(call)), call) << normal_form(call);
}

TEST(NormalForm, DecidesEquality) {
    EXPECT_EQ(parse_call("sentence_check(3, 'change')"), (ToolCall{SentenceModificationCheck{{3}, true}}));
    EXPECT_NE((ToolCall{WordCountCheck{3, Relation::equal}}), (ToolCall{SentenceCountCheck{3, Relation::equal}}));
    EXPECT_NE((ToolCall{KeywordKeepRemovalCheck{"A", true}}), (ToolCall{KeywordKeepRemovalCheck{"a", true}}));
}

TEST(Relation, IsStrict) {
    EXPECT_TRUE(holds(4, Relation::less_than, 5) && !holds(5, Relation::less_than, 5));
    EXPECT_TRUE(holds(6, Relation::more_than, 5) && !holds(5, Relation::more_than, 5));
    EXPECT_TRUE(holds(5, Relation::equal, 5) && !holds(4, Relation::equal, 5));
}

}  // namespace
}  // namespace craft
