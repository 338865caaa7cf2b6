#include "judge/scorers/bartscore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>

#include "judge/scorers/bartscore_metric.h"
#include "tests/core/temporary_folder.h"
#include "tests/judge/scorers/letter_tokenizer.h"
#include "tests/source.h"

namespace craft {
namespace {

Seq2Seq small_bart() {
    return Seq2Seq::load(test_source("/tests/model/encoders/bart/model"), at::kFloat, at::kCPU);
}

BartScorer bart_scorer(const BartScoreOptions& options = {}) {
    return {small_bart(), std::make_shared<test::LetterTokenizer>(), options};
}

// The mean of the target's log-probabilities, </s> and <s> among them.
double mean_logprob(const std::string& source, const std::string& target) {
    const auto ids = [](const std::string& text) {
        std::vector<int64_t> all = test::LetterTokenizer().encode(text, true);
        all.insert(all.begin(), 0);
        all.push_back(2);
        return all;
    };
    return small_bart().target_logprobs({{{ids(source)}, ids(target)}})[0].to(at::kDouble).mean().item<double>();
}

TEST(BartScore, IsTheMeanLogProbabilityOfTheRevision) {
    BartScorer scorer = bart_scorer();
    const std::vector<double> values = scorer.score({{"a b c", "d e"}, {"", ""}, {"ab", ""}});
    EXPECT_NEAR(values.at(0), mean_logprob("a b c", "d e"), 1e-5);
    EXPECT_NEAR(values.at(1), mean_logprob("", ""), 1e-5);
    EXPECT_NEAR(values.at(2), mean_logprob("ab", ""), 1e-5);
    EXPECT_LT(values.at(0), 0);
    EXPECT_TRUE(scorer.score({}).empty());
}

TEST(BartScore, GoesSentenceBySentenceWhereBothHaveEquallyMany) {
    BartScorer scorer = bart_scorer();
    const std::vector<double> values = scorer.score({{"ab. cd.", "e. fgh."}, {"ab. cd.", "efgh."}});
    EXPECT_NEAR(values.at(0), (mean_logprob("ab.", "e.") + mean_logprob("cd.", "fgh.")) / 2, 1e-5);
    EXPECT_NEAR(values.at(1), mean_logprob("ab. cd.", "efgh."), 1e-5);
}

TEST(BartScore, BothWaysAndF) {
    const std::vector<ScoredPair> pairs = {{"a b c", "d e"}, {"ab. cd.", "e. fgh."}};
    const auto backward = bart_scorer({.direction = BartScoreDirection::backward}).figures(pairs);
    EXPECT_NEAR(backward.at(0).value, mean_logprob("d e", "a b c"), 1e-5);
    EXPECT_NEAR(backward.at(1).value, (mean_logprob("e.", "ab.") + mean_logprob("fgh.", "cd.")) / 2, 1e-5);
    EXPECT_FALSE(backward.at(0).forward.has_value());
    const auto both = bart_scorer({.direction = BartScoreDirection::f}).figures(pairs);
    const auto forward = bart_scorer().figures(pairs);
    for (size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(both.at(i).forward.value(), forward.at(i).value, 1e-5);
        EXPECT_NEAR(both.at(i).backward.value(), backward.at(i).value, 1e-5);
        EXPECT_DOUBLE_EQ(both.at(i).value, (*both.at(i).forward + *both.at(i).backward) / 2);
    }
    EXPECT_GT(std::abs(forward.at(0).value - backward.at(0).value), 1e-3) << "or nothing would tell them apart";
    EXPECT_EQ(bart_scorer({.direction = BartScoreDirection::f}).figures({{std::string(50, 'a'), "b"}}).at(0).cut, 1)
        << "a text is cut once, however often it is read";
}

TEST(BartScore, LongTextsAreCutAndCounted) {
    const BartScorer scorer = bart_scorer();
    const int64_t room = small_bart().config().encoder.max_tokens() - 2;
    const std::string whole(static_cast<size_t>(room), 'a');
    const auto figures = scorer.figures({{whole, whole}, {whole + "b", "a"}, {whole + "b", whole + "cd"}});
    EXPECT_EQ(figures.at(0).cut, 0);
    EXPECT_EQ(figures.at(1).cut, 1);
    EXPECT_EQ(figures.at(2).cut, 2);
    EXPECT_EQ(figures.at(2).value, figures.at(0).value);
}

TEST(BartScore, OrderChangesNoDigit) {
    std::vector<ScoredPair> pairs;
    for (size_t i = 0; i < 30; ++i)
        pairs.push_back({std::string(i % 7 + 1, 'a') + ".", std::string(i % 5 + 1, static_cast<char>('b' + i % 9)) + "."});
    BartScorer scorer = bart_scorer({.batch_tokens = 40});
    const std::vector<double> forward = scorer.score(pairs);
    std::reverse(pairs.begin(), pairs.end());
    std::vector<double> backward = scorer.score(pairs);
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(forward, backward);
}

TEST(BartScore, WhatCannotMeasureIsRefused) {
    const auto refusal = [](const test::LetterTokenizer& tokenizer) {
        return message_of([&] { BartScorer(small_bart(), std::make_shared<test::LetterTokenizer>(tokenizer)); });
    };
    test::LetterTokenizer large, bare;
    large.size = 41;
    bare.around = {};
    EXPECT_THAT(refusal(large), testing::HasSubstr("a tokenizer of at most 40 tokens, got 41"));
    EXPECT_THAT(refusal(bare), testing::HasSubstr("a tokenizer that adds tokens around a text"));
}

TEST(BartScoreMetric, IsTheMeanOfItems) {
    const auto metric = bartscore_metric(std::make_shared<BartScorer>(bart_scorer()), {"xxh64:1", "float32"});
    EXPECT_TRUE(metric->corpus().at("bartscore").is_null());
    const auto scores = metric->measure_all({{"a", "ab", "cd", {}}, {"b", "ab", std::string(50, 'a'), {}}});
    for (const ItemScore& score : scores) metric->add(score);
    EXPECT_NEAR(scores[0].value.value(), mean_logprob("ab", "cd"), 1e-5);
    EXPECT_DOUBLE_EQ(metric->corpus().at("bartscore").get<double>(), (*scores[0].value + *scores[1].value) / 2);
    EXPECT_EQ(metric->corpus().at("texts_cut"), 1);
    EXPECT_EQ(metric->signature(), "bartscore|CRAFT-D.3|sentences:paper,float32|model:xxh64:1|as given");
}

TEST(BartScoreMetric, PrecisionRecallAndFOfReferences) {
    const auto metric = bartscore_metric(std::make_shared<BartScorer>(bart_scorer({.direction = BartScoreDirection::f})),
                                         {"xxh64:1", "float32"}, /*references=*/true);
    const auto scores = metric->measure_all({{"a", "", "cd", {"ab", "e"}}, {"b", "", "f", {"g"}}});
    const double precision = (mean_logprob("ab", "cd") + mean_logprob("e", "cd")) / 2;
    const double recall = (mean_logprob("cd", "ab") + mean_logprob("cd", "e")) / 2;
    EXPECT_NEAR(scores[0].parts.at("forward").get<double>(), precision, 1e-5);
    EXPECT_NEAR(scores[0].parts.at("backward").get<double>(), recall, 1e-5);
    EXPECT_NEAR(scores[0].value.value(), (precision + recall) / 2, 1e-5);
    EXPECT_NEAR(scores[1].value.value(), (mean_logprob("g", "f") + mean_logprob("f", "g")) / 2, 1e-5);
    for (const ItemScore& score : scores) metric->add(score);
    EXPECT_NEAR(metric->corpus().at("forward").get<double>(), (precision + mean_logprob("g", "f")) / 2, 1e-5);
    EXPECT_FALSE(metric->needs().source);
    EXPECT_TRUE(metric->needs().references);
    EXPECT_EQ(metric->signature(),
              "bartscore|CRAFT-D.3|sentences:paper,direction:f,against:references,float32|model:xxh64:1|as given");
}

}  // namespace
}  // namespace craft
