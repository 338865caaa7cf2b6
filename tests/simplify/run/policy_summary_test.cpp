#include "simplify/run/policy_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;

TEST(PolicyFigures, AreMeansOverSentencesAndRatiosOverAnswers) {
    const std::vector<FoundOutput> outputs = {
        {"1", "A cat sat there.", "A cat sat. It saw.", "", true, false},  // two sentences of one, 18 letters of 16
        {"2", "A dog ran. It barked.", "A dog ran", "", true, true},       // one of two, 9 of 21
        {"3", "A cow ate.", "", "cut", false, false},
        {"4", "A cow ate.", " ", "", false, false}};
    const PolicyFigures figures = policy_figures_of(outputs);
    EXPECT_DOUBLE_EQ(figures.follows.value(), 0.5);
    EXPECT_DOUBLE_EQ(figures.follows_other_judge.value(), 0.25);
    EXPECT_DOUBLE_EQ(figures.splits.value(), (2.0 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(figures.compression.value(), (18.0 / 16 + 9.0 / 21) / 2);
    EXPECT_FALSE(figures.sari_asset || figures.sari_turk);
    EXPECT_EQ(figures.sentences, 4);
    EXPECT_EQ(figures.unanswered, 2);
    EXPECT_EQ(figures.cut, 1);
}

TEST(PolicyFigures, OfNothingAreAbsent) {
    const PolicyFigures none = policy_figures_of({});
    EXPECT_FALSE(none.follows || none.splits);
    const PolicyFigures unanswered = policy_figures_of({{"1", "A cow ate.", "", "empty", false, false}});
    EXPECT_DOUBLE_EQ(unanswered.follows.value(), 0);
    EXPECT_FALSE(unanswered.splits || unanswered.compression);
}

TEST(FoundOutput, IsReadAsItWasWritten) {
    const FoundOutput output{"7", "A cat.", "Cat.", "", true, false};
    const FoundOutput read = found_output_from_json(to_json(output), "here");
    EXPECT_EQ(to_json(read), to_json(output));
    EXPECT_TRUE(read.follows && !read.follows_other_judge);
    Json broken = to_json(output);
    broken.erase("follows");
    EXPECT_THAT(message_of([&] { found_output_from_json(broken, "here:3"); }), HasSubstr("here:3: expected"));
}

SimplifySummary some_summary() {
    PolicySummary policy;
    for (const char* name : {"zero_shot", "few_shot", "sft", "trained", "random"})
        policy.systems.emplace_back(name, PolicyFigures{0.25, 0.5, std::nullopt, 38.5, 1.5, 0.75, 8, 2, 1});
    policy.stages = {{"candidates", 20}, {"zero_shot evaluation", 12.5}};
    policy.counts = {{"pairs", {{"groups", 3}}}};
    return {{{"rewriting", policy}, {"lexical", policy}}};
}

TEST(SimplifySummary, HasTheKeysOfSummaryJson) {
    const Json json = to_json(some_summary());
    EXPECT_EQ(json.at("policies").at("lexical").at("trained"), Json({{"follows", 0.25},
                                                                     {"follows_other_judge", 0.5},
                                                                     {"sari_asset", nullptr},
                                                                     {"sari_turk", 38.5},
                                                                     {"splits", 1.5},
                                                                     {"compression", 0.75}}));
    EXPECT_EQ(json.at("policies").at("rewriting").size(), 5u);
    EXPECT_DOUBLE_EQ(json.at("seconds").get<double>(), 65);
    EXPECT_EQ(json.at("counts").at("lexical").at("outputs").at("sft").at("unanswered"), 2);
    EXPECT_EQ(to_json(simplify_summary_from_json(json, "summary.json")), json);
    Json broken = json;
    broken["policies"]["lexical"].erase("random");
    EXPECT_THAT(message_of([&] { simplify_summary_from_json(broken, "summary.json"); }), HasSubstr("summary.json"));
}

TEST(SimplifySummary, IsShownAsATable) {
    const std::string table = summary_table(some_summary());
    EXPECT_THAT(table, HasSubstr("trained             25.0          50.0           -       38.50      1.50         0.75"));
    EXPECT_THAT(table, HasSubstr("seconds: candidates 20, zero_shot evaluation 12; in all 32"));
}

}  // namespace
}  // namespace craft
