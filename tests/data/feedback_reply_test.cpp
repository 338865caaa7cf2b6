// Suggestions in a model's reply, and what is counted beside them.
#include "data/feedback_reply.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

using Counts = std::map<std::string, int64_t>;

const char* const kShown = "She go home. It\nrains a lot. \"Well,\" he said.";

std::string listed(const FeedbackReply& read) {
    std::string out;
    for (const Suggestion& one : read.suggestions) out += one.original + " => " + one.suggestion + "\n";
    return out;
}

void expect_read(const std::string& reply, const std::string& suggestions, const Counts& counted) {
    const FeedbackReply read = read_feedback_reply(reply, kShown);
    EXPECT_EQ(listed(read), suggestions) << reply;
    EXPECT_EQ(read.counted, counted) << reply;
}

TEST(FeedbackReply, TheAskedForFormCountsNothing) {
    expect_read("Original: She go home.; Suggestion: She goes home.\n\nOriginal: It rains a lot.; Suggestion: It pours.\n",
                "She go home. => She goes home.\nIt rains a lot. => It pours.\n", {});
    expect_read("", "", {});
}

TEST(FeedbackReply, OtherFormsAreReadAndCounted) {
    const std::string goes = "She go home. => She goes home.\n";
    expect_read("1. original: She go home. SUGGESTION: She goes home.", goes, {{"marked line", 1}});
    expect_read("\u2022 Original: She go home.; Suggestion: She goes home.", goes, {{"marked line", 1}});
    expect_read("**Original:** She go home.; **Suggestion:** She goes home.", goes, {{"marked line", 1}});
    expect_read("Original: \"She go home.\"; Suggestion: \u201cShe goes home.\u201d", goes, {{"quoted", 1}});
    expect_read("Original: She go home.\n\nSuggestion: She goes home.", goes, {{"two lines", 1}});
    expect_read("<think>Original: It rains a lot.; Suggestion: no</think>Original: She go home.; Suggestion: She goes home.",
                goes, {{"thinking", 1}});
}

TEST(FeedbackReply, WhatIsNoSuggestionIsLeftOutAndCounted) {
    expect_read("Here is what I found:\nNo problems.", "", {{"other line", 2}});
    expect_read("The Original: She go home.; Suggestion: x", "", {{"other line", 1}});
    expect_read("Original: She go home.\nOriginal: It rains a lot.; Suggestion: It pours.", "It rains a lot. => It pours.\n",
                {{"no suggestion", 1}});
    expect_read("Original: She go home.", "", {{"no suggestion", 1}});
    expect_read("Suggestion: She goes home.", "", {{"other line", 1}});
    expect_read("Original: ; Suggestion: She goes home.\nOriginal: She go home.; Suggestion:", "", {{"empty", 2}});
    expect_read("Original: They go home.; Suggestion: x\nOriginal: she go home.; Suggestion: x", "",
                {{"not in the text", 2}});
    expect_read("Original: It rains a lot.; Suggestion: It  rains a lot.", "", {{"unchanged", 1}});
    const std::string twice = "Original: She go home.; Suggestion: She goes home.\n";
    expect_read(twice + twice, "She go home. => She goes home.\n", {{"repeated", 1}});
}

}  // namespace
}  // namespace craft
