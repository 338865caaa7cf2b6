#include "gec/corrected_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gec/correction_counts.h"

namespace craft {
namespace {

using testing::ElementsAre;

AgentTrace shouted(const std::string& sentence, uint64_t /*item*/, uint64_t sample) {
    AgentTrace trace{.source = sentence, .text = sentence};
    std::replace(trace.text.begin(), trace.text.end(), 'x', 'y');
    AgentStep step{.sentence = trace.text};
    step.reply.action = "transform";
    trace.steps.assign(sample + 1, step);
    if (sample == 1) trace.ended = AgentEnd::steps;
    return trace;
}

TEST(CorrectedTexts, AreCutAndPutTogetherAgain) {
    const CorrectedText one = correct_text("a", "  One x.  Two x!\n\n\tThree. ", 0, false, shouted);
    EXPECT_EQ(one.text, "  One y.  Two y!\n\n\tThree. ");
    ASSERT_EQ(one.sentences.size(), 3u);
    EXPECT_EQ(one.sentences[1].source, "Two x!");
    EXPECT_EQ(one.ended(), AgentEnd::steps);
    const CorrectedText whole = correct_text("a", "One x. Two x.", 0, true, shouted);
    EXPECT_EQ(whole.sentences.size(), 1u);
    EXPECT_EQ(whole.text, "One y. Two y.");
    EXPECT_EQ(correct_text("a", "x\xff. x.", 0, false, shouted).text, "y\xff. y.");
}

TEST(CorrectedTexts, SayWhatBecameOfThem) {
    const auto made_by = [](const std::vector<std::string>& failures) {
        return correct_text("a", "One x. Two x.", 0, false, [=](const std::string& sentence, uint64_t, uint64_t sample) {
            AgentTrace trace{.source = sentence, .text = sentence, .failure = failures.at(sample)};
            if (trace.failure.empty()) std::replace(trace.text.begin(), trace.text.end(), 'x', 'y');
            return trace;
        });
    };
    EXPECT_EQ(to_json(made_by({"cut", "timed_out"}))["status"], "failed");
    EXPECT_EQ(to_json(made_by({"cut", "timed_out"}))["reason"], "cut");
    EXPECT_EQ(to_json(made_by({"cut", ""}))["status"], "revised") << "of one sentence there was an answer";
    const auto same = [](const std::string& sentence, uint64_t, uint64_t) {
        return AgentTrace{.source = sentence, .text = sentence};
    };
    EXPECT_EQ(to_json(correct_text("a", "One.", 0, false, same))["status"], "unchanged");
    EXPECT_FALSE(correct_text("a", " ", 0, false, same).is_asked());
}

TEST(CorrectedTexts, AreNotCutWithinAnAddress) {
    const CorrectedText one =
        correct_text("a", "See https://a.org/b?q=x&l=en for x. Why?because x? Yes.", 0, false, shouted);
    EXPECT_EQ(one.text, "See https://a.org/b?q=y&l=en for y. Why?because y? Yes.");
    ASSERT_EQ(one.sentences.size(), 3u);
    EXPECT_EQ(one.sentences[0].source, "See https://a.org/b?q=x&l=en for x.");
    EXPECT_EQ(one.sentences[1].source, "Why?because x?");
}

TEST(CorrectedTexts, EmptyOnesStayWithoutACall) {
    for (const std::string text : {"", " \n "}) {
        const CorrectedText one = correct_text("a", text, 0, false, shouted);
        EXPECT_EQ(one.text, text);
        ASSERT_EQ(one.sentences.size(), 1u);
        EXPECT_EQ(one.sentences[0].not_asked, "empty");
    }
}

TEST(CorrectedTexts, AreRowsThatCanBeReadBack) {
    const Json row = to_json(correct_text("a", "One x. Two x.", 0, false, shouted));
    EXPECT_EQ(row["edits"], Json::parse(R"([{"start":4,"end":5,"operation":"transform","from":"x","to":"y"},
        {"start":11,"end":12,"operation":"transform","from":"x","to":"y"}])"));
    EXPECT_EQ(row["calls"], Json({{"transform", 3}}));
    EXPECT_EQ(row["model_calls"], 3);
    EXPECT_EQ(row["ended"], "steps");
    EXPECT_EQ(to_json(corrected_text_from_json(row, "row")), row);
}

TEST(CorrectionCountsOf, TextsAddUp) {
    CorrectionCounts counts;
    counts.add(correct_text("a", "One x. Two x.", 0, false, shouted));
    counts.add(correct_text("b", "", 1, false, shouted));
    const Json told = counts.to_json();
    EXPECT_EQ(told["texts"], 2);
    EXPECT_EQ(told["changed"], 1);
    EXPECT_EQ(told["sentences"], 3);
    EXPECT_EQ(told["edits"], Json({{"transform", 2}}));
    EXPECT_EQ(told["ended"], Json({{"final", 1}, {"steps", 1}}));
    EXPECT_EQ(told["not_asked"], Json({{"empty", 1}}));
    EXPECT_EQ(told["model_calls"], Json::parse(R"({"sum":3,"mean":1.5,"by_count":{"1":1,"2":1}})"));
    EXPECT_EQ(told["usage_rate"], Json({{"transform", 1.0}}));
}

TEST(CorrectionCountsOf, ToolsHaveTheirTimeAndTheirErrors) {
    AgentStep found{.seconds = 0.5}, broken{.refused = "tool_failed", .error = "it died", .seconds = 0.25};
    found.reply.action = broken.reply.action = "spell_check";
    CorrectionCounts counts;
    counts.add(
        {.id = "a", .source = "x", .text = "x", .sentences = {{.source = "x", .text = "x", .steps = {found, broken}}}});
    const Json told = counts.to_json();
    EXPECT_EQ(told["tool_seconds"], Json({{"spell_check", 0.75}}));
    EXPECT_EQ(told["tool_errors"], Json({{"spell_check", 1}}));
    EXPECT_EQ(told["calls"], Json({{"spell_check", 2}}));
}

}  // namespace
}  // namespace craft
