#include "judge/scorers/some.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>

#include "judge/scorers/some_metric.h"
#include "tests/core/temporary_folder.h"
#include "tests/judge/scorers/letter_tokenizer.h"
#include "tests/source.h"

namespace craft {
namespace {

const std::string kRegressors = test_source("/tests/model/encoders/");

Regressor small_regressor(const std::string& name = "bert-score", const test::LetterTokenizer& tokenizer = {}) {
    return {Encoder::load(kRegressors + name + "/model", at::kFloat, at::kCPU),
            std::make_shared<test::LetterTokenizer>(tokenizer)};
}

// 24 positions.
SomeScorer some_scorer(SomeOptions options = {}) {
    options.max_tokens = 24;
    return {{small_regressor(), small_regressor(), small_regressor()}, options};
}

double regressed(const std::vector<int64_t>& ids, const std::vector<int64_t>& types = {}) {
    const Encoder encoder = small_regressor().encoder;
    return (encoder.scores(encoder.hidden({{.ids = ids, .types = types}}))[0].item<double>() - 1) / 3;
}

TEST(Some, WeighsThreeRegressors) {
    const SomeFigures figures = some_scorer().figures({{"a", "bc"}}).at(0);
    const double alone = regressed({0, 7, 8, 2}), pair = regressed({0, 6, 2, 7, 8, 2}, {0, 0, 0, 1, 1, 1});
    EXPECT_NEAR(figures.grammaticality, alone, 1e-5);
    EXPECT_NEAR(figures.fluency.value(), alone, 1e-5);
    EXPECT_NEAR(figures.meaning.value(), pair, 1e-5);
    EXPECT_NEAR(figures.some, 0.98 * alone + 0.02 * pair, 1e-5);  // .55 + .43 of one model
    EXPECT_GT(std::abs(alone - pair), 1e-4) << "or nothing would tell them apart";
}

TEST(Some, RegressorsSayHowManyTokensTheyHaveRoomFor) {
    EXPECT_EQ((SomeRegressors{small_regressor(), small_regressor(), small_regressor()}.max_tokens()), 24);
    EXPECT_EQ((SomeRegressors{small_regressor(), {}, {}}.max_tokens()), 24);
}

TEST(Some, GrammaticalityAlone) {
    SomeScorer scorer({small_regressor(), {}, {}}, {.grammaticality_alone = true, .max_tokens = 24});
    const SomeFigures figures = scorer.figures({{"a", "bc"}}).at(0);
    EXPECT_EQ(figures.some, figures.grammaticality);
    EXPECT_NEAR(figures.some, regressed({0, 7, 8, 2}), 1e-5);
    EXPECT_FALSE(figures.fluency || figures.meaning);
    EXPECT_EQ(scorer.score({{"a", "bc"}}).at(0), figures.some);
}

TEST(Some, GoesSentenceBySentenceAndCutsLongInputs) {
    const SomeScorer scorer = some_scorer();
    const auto one = [&](const std::string& source, const std::string& revision) {
        return scorer.figures({{source, revision}}).at(0);
    };
    EXPECT_NEAR(one("a. b.", "c. dd.").some, (one("a.", "c.").some + one("b.", "dd.").some) / 2, 1e-6);
    const std::string full(22, 'a');  // with the two tokens around it 24
    EXPECT_EQ(one("", full).cut, 1) << "as a pair it has 25 tokens";
    EXPECT_EQ(one("", full + "b").cut, 3);
    EXPECT_EQ(one("", full + "b").grammaticality, one("", full).grammaticality);
}

TEST(Some, OrderChangesNoDigit) {
    std::vector<ScoredPair> pairs;
    for (size_t i = 0; i < 30; ++i)
        pairs.push_back({std::string(i % 7 + 1, 'a'), std::string(i % 5 + 1, static_cast<char>('b' + i % 9))});
    SomeScorer scorer = some_scorer({.batch_tokens = 30});
    const std::vector<double> forward = scorer.score(pairs);
    std::reverse(pairs.begin(), pairs.end());
    std::vector<double> backward = scorer.score(pairs);
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(forward, backward);
}

TEST(Some, WhatCannotMeasureIsRefused) {
    const auto refusal = [](const std::string& name, const SomeOptions& options,
                            const test::LetterTokenizer& tokenizer = {}) {
        return message_of([&] {
            SomeScorer({small_regressor(), small_regressor(name, tokenizer), small_regressor()}, options);
        });
    };
    EXPECT_THAT(refusal("bert", {.max_tokens = 24}),
                testing::HasSubstr(
                    "SOME's regressor of fluency: expected a regression head (one label), got BertModel without one"));
    EXPECT_THAT(refusal("bert-score", {}), testing::HasSubstr("of grammaticality: expected at least 128 positions, got 24"));
    test::LetterTokenizer large;
    large.size = 41;
    EXPECT_THAT(refusal("bert-score", {.max_tokens = 24}, large),
                testing::HasSubstr("a tokenizer of at most 40 tokens, got 41"));
    EXPECT_THAT(message_of([] {
                    SomeScorer({small_regressor(), {}, {}}, {.max_tokens = 24});
                }),
                testing::HasSubstr("expected three regressors"));
    const TemporaryFolder folder;
    EXPECT_THAT(message_of([&] { open_some(folder.path(), true, at::kFloat, at::kCPU); }),
                testing::HasSubstr("grammer: expected the folder of a regressor of SOME, got none"));
}

TEST(SomeMetric, MeansOfItems) {
    const auto metric = some_metric(std::make_shared<SomeScorer>(some_scorer()), {"xxh64:1", "float32"});
    EXPECT_TRUE(metric->corpus().at("some").is_null());
    const auto scores = metric->measure_all({{"a", "ab", "cd", {}}, {"b", "ab", std::string(50, 'a'), {}}});
    for (const ItemScore& score : scores) metric->add(score);
    const Json corpus = metric->corpus();
    EXPECT_DOUBLE_EQ(corpus.at("some").get<double>(), (*scores[0].value + *scores[1].value) / 2);
    for (const char* key : {"grammaticality", "fluency", "meaning"}) {
        EXPECT_TRUE(corpus.at(key).is_number()) << key;
        EXPECT_TRUE(scores[0].parts.at(key).is_number()) << key;
    }
    EXPECT_EQ(corpus.at("inputs_cut"), 3);
    EXPECT_EQ(metric->signature(),
              "some|CRAFT-D.3|weights:.55/.43/.02,tokens:24,sentences:paper,float32|model:xxh64:1|as given");
}

}  // namespace
}  // namespace craft
