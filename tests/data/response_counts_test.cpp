#include "data/response_counts.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(ResponseCounts, TellHowWellTheFormIsKept) {
    ResponseCounts counts;
    counts.add(ParsedResponse(print_response({"Count.", "word_count_check(5, \"less than\")\ntext_eval()", {}})), true);
    EXPECT_EQ(counts, (ResponseCounts{1, 1, 0, 2, 0, {}}));
    // One call in single quotes, which is usable, and one with a word in place of a number, which is not.
    counts.add(ParsedResponse(print_response(
                   {"Count.", "word_count_check(5, 'less than')\nword_count_check(\"many\", \"less than\")", {}})),
               true);
    EXPECT_EQ(counts, (ResponseCounts{2, 1, 0, 4, 1, {{leniency::kSingleQuotes, 1}}}));
    // Cut after its thought: the headings that were to come are missing.
    counts.add(ParsedResponse("###THOUGHT:\nCount."), false);
    EXPECT_EQ(counts.responses, 3);
    EXPECT_EQ(counts.exact, 1);
    EXPECT_EQ(counts.cut, 1);
    EXPECT_EQ(counts.calls, 4);
    EXPECT_GT(counts.leniency[leniency::kHeadingMissing], 0);
    EXPECT_EQ(response_counts_from_json(to_json(counts)), counts);
}

TEST(ResponseCounts, CallsOfTheNormalFormDecideToo) {
    ResponseCounts counts;
    counts.add(ParsedResponse(print_response({"Count.", "word_count_check(\"many\", \"less than\")", {}})), true);
    EXPECT_EQ(counts.exact, 0) << "well formed but for a call that cannot be used";
}

}  // namespace
}  // namespace craft
