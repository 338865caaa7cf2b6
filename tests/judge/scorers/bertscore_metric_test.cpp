#include "judge/scorers/bertscore_metric.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/source.h"

namespace craft {
namespace {

std::shared_ptr<const BertScorer> example_scorer(const BertScoreOptions& options = {}) {
    const std::filesystem::path folder = test_source("/share/examples/encoder");
    return std::make_shared<BertScorer>(Encoder::load(folder, at::kFloat, at::kCPU), open_tokenizer(folder), options);
}

TEST(BertScoreMetric, MeansAndCounts) {
    const auto metric = bertscore_metric(example_scorer(), {"xxh64:1", "float32"});
    EXPECT_TRUE(metric->corpus().at("bertscore").is_null()) << "no item, no figure";
    const auto scores = metric->measure_all({{"a", "", "the river", {"the river"}}, {"b", "", "", {"the road", ""}}});
    for (const ItemScore& score : scores) metric->add(score);
    const Json corpus = metric->corpus();
    EXPECT_NEAR(corpus.at("bertscore").get<double>(), 0.5, 1e-6);  // of 1 and 0
    EXPECT_EQ(corpus.at("f1"), corpus.at("bertscore"));
    EXPECT_EQ(corpus.at("empty_predictions"), 1);
    EXPECT_EQ(corpus.at("empty_references"), 1);
    EXPECT_EQ(corpus.at("predictions_cut"), 0);
    EXPECT_EQ(scores.at(1).parts.at("precision"), 0.0);
    EXPECT_EQ(metric->measure({"a", "", "the river", {"the river"}}).value, scores.at(0).value);
    EXPECT_EQ(metric->signature(),
              "bertscore|bert-score-0.3.13|layer:2,idf:none,rescale:none,float32|model:xxh64:1|as given");
    EXPECT_EQ(metric->options(),
              Json::parse(R"({"layer":2,"idf":"none","baseline":null,"model":"xxh64:1","dtype":"float32"})"));
    EXPECT_EQ(bertscore_metric(example_scorer({.idf = true, .baseline = BertScoreBaseline{}}), {"xxh64:1", "float32"},
                               {.baseline = "xxh64:2", .documents = "xxh64:3"})
                  ->signature(),
              "bertscore|bert-score-0.3.13|layer:2,idf:xxh64:3,rescale:xxh64:2,float32|model:xxh64:1|as given");
}

TEST(BertScoreMetric, WhatHasNoFigureIsNullAndInNoMean) {
    const auto metric = bertscore_metric(example_scorer(), {"xxh64:1", "float32"});
    const auto scores = metric->measure_all({{"a", "", "the river", {"the river"}}, {"b", "", "[SEP]", {"a road"}}});
    EXPECT_FALSE(scores.at(1).value);
    EXPECT_TRUE(scores.at(1).parts.at("precision").is_null());
    for (const ItemScore& score : scores) metric->add(score);
    EXPECT_NEAR(metric->corpus().at("bertscore").get<double>(), 1, 1e-6);
}

}  // namespace
}  // namespace craft
