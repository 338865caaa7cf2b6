#include "judge/scorers/bartscore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>

#include "judge/scorers/bartscore_metric.h"
#include "tests/core/temporary_folder.h"
#include "tests/judge/scorers/letter_tokenizer.h"

namespace craft {
namespace {

Seq2Seq small_bart() {
    return Seq2Seq::load(CRAFT_TEST_SOURCE "/tests/model/encoders/bart/model", at::kFloat, at::kCPU);
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

TEST(BartScore, LongTextsAreCutAndCounted) {
    const BartScorer scorer = bart_scorer();
    const int64_t room = small_bart().config().encoder.most_tokens() - 2;
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
    EXPECT_THAT(refusal(bare), testing::HasSubstr("a tokenizer that puts tokens around a text"));
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

}  // namespace
}  // namespace craft
