#include "judge/scorers/transport_aligner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "tests/core/temporary_folder.h"
#include "tests/judge/scorers/stored_alignments.h"
#include "tests/source.h"

namespace craft {
namespace {

const std::string kAlignerModel = test_source("/share/examples/encoder");  // 128 positions, 2 layers

std::unique_ptr<TransportAligner> example_aligner(const WordAlignerOptions& options = {}) {
    return open_word_aligner(kAlignerModel, options, at::kFloat, at::kCPU);
}

const std::vector<WordPair> kAlignedPairs = {{"The old river rose", "the river rose"}, {"It was late", "late"}};

TEST(TransportAligner, PlansAndLinksAreThoseOfTransformersAndNumpy) {
    test::expect_stored_alignments("alignment_small.jsonl", kAlignerModel);
}

TEST(TransportAligner, WordsAreLowerCaseAndLinksWithinThem) {
    const std::vector<WordAlignment> found = example_aligner()->align(kAlignedPairs);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].source, (std::vector<std::string>{"the", "old", "river", "rose"}));
    EXPECT_EQ(found[0].candidate, (std::vector<std::string>{"the", "river", "rose"}));
    EXPECT_FALSE(found[0].links.empty());
    EXPECT_TRUE(std::is_sorted(found[0].links.begin(), found[0].links.end()));
    for (const auto& [i, j] : found[0].links) {
        EXPECT_LT(i, 4u);
        EXPECT_LT(j, 3u);
    }
}

TEST(TransportAligner, TextsWithoutWordsHaveNoLinks) {
    const std::vector<WordAlignment> found = example_aligner()->align({{"", "the river"}, {" \n", ""}, {"a", "a"}});
    EXPECT_TRUE(found[0].links.empty());
    EXPECT_TRUE(found[1].links.empty());
    EXPECT_EQ(found[2].links, (std::vector<std::pair<size_t, size_t>>{{0, 0}})) << "one to one";
    EXPECT_TRUE(example_aligner()->align({}).empty());
}

// A word of a zero-width mark alone is no token to BERT: it has no vector, and is no one's partner.
TEST(TransportAligner, WordsWithoutTokensAreLeftAlone) {
    const auto found = example_aligner()->transport({{"the \xE2\x80\x8B river", "the river"}}).at(0);
    ASSERT_EQ(found.alignment.source.size(), 3u);
    ASSERT_EQ(found.plan.values.size(), 6u);
    EXPECT_EQ(found.plan.values[2], 0);
    EXPECT_EQ(found.plan.values[3], 0);
    EXPECT_GT(found.plan.values[5], 0) << "the word behind it keeps its place";
}

TEST(TransportAligner, NeitherOrderNorRepetitionOfEqualPairsAndVectorsThatWereNotKeptChangeLinks) {
    std::vector<WordPair> pairs = kAlignedPairs;
    pairs.emplace_back("the night was old", "an old night");
    const auto forward = example_aligner()->transport(pairs);
    std::reverse(pairs.begin(), pairs.end());
    const auto backward = example_aligner({.batch_tokens = 1})->transport(pairs);
    const auto twice_computed = example_aligner({.kept_bytes = 0})->transport(pairs);
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(forward[i].alignment.links, backward[2 - i].alignment.links);
        EXPECT_THAT(backward[2 - i].plan.values, testing::Pointwise(testing::DoubleNear(1e-4), forward[i].plan.values));
        EXPECT_THAT(twice_computed[2 - i].plan.values,
                    testing::Pointwise(testing::DoubleNear(1e-4), forward[i].plan.values));
    }
    for (size_t i = 0; i < 3; ++i) pairs.push_back(WordPair(pairs[i]));  // the same mean
    EXPECT_THAT(example_aligner()->transport(pairs)[3].plan.values,
                testing::Pointwise(testing::DoubleNear(1e-4), forward[2].plan.values));
}

// A pair that stands three times counts three times in the mean.
TEST(TransportAligner, MeanWeighsPairsAsOftenAsTheyStand) {
    const auto aligner = example_aligner();
    const std::vector<double> one = aligner->mean_of({kAlignedPairs[0]}), other = aligner->mean_of({kAlignedPairs[1]});
    const std::vector<double> mixed =
        aligner->mean_of({kAlignedPairs[0], kAlignedPairs[1], kAlignedPairs[0], kAlignedPairs[0]});
    const auto encoder = WordEncoder(Encoder::load(kAlignerModel, at::kFloat, at::kCPU), open_tokenizer(kAlignerModel), 0);
    const auto tokens = [&](const WordAlignment& pair) {
        return static_cast<double>(encoder.tokens_of(encoder.read(pair.source, pair.candidate)));
    };
    const auto words = aligner->align(kAlignedPairs);
    const double a = 3 * tokens(words[0]), b = tokens(words[1]);
    for (size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(mixed[i], (a * one[i] + b * other[i]) / (a + b), 1e-6);
}

TEST(TransportAligner, WithAMeanOfItsOwnAPairDependsOnNothingElse) {
    const auto aligner = example_aligner();
    aligner->set_mean(aligner->mean_of(kAlignedPairs));
    const auto alone = aligner->transport({kAlignedPairs[0]});
    const auto together = example_aligner()->transport(kAlignedPairs);
    EXPECT_THAT(alone[0].plan.values, testing::Pointwise(testing::DoubleNear(1e-4), together[0].plan.values));
    const auto first = aligner->align(kAlignedPairs),
               again = aligner->align({kAlignedPairs[1], kAlignedPairs[0], kAlignedPairs[0]});
    EXPECT_EQ(again[0].links, first[1].links);
    EXPECT_EQ(again[2].links, first[0].links);
    EXPECT_EQ(again[2].source, first[0].source);
    const auto plain = example_aligner({.centred = false})->transport(kAlignedPairs);
    const auto zero = example_aligner({.mean = std::vector<double>(16, 0)})->transport(kAlignedPairs);
    EXPECT_EQ(plain[0].plan.values, zero[0].plan.values);
    EXPECT_NE(plain[0].plan.values, together[0].plan.values);
}

// 300 words are read in windows of a model with 128 positions; more than a matrix is to hold is refused, and says so.
TEST(TransportAligner, LongTexts) {
    std::string text, half;
    for (int i = 0; i < 100; ++i) {
        text += i % 3 == 0 ? "the river rose " : "an old road ";
        if (i % 2 == 0) half += i % 3 == 0 ? "the river rose " : "an old road ";
    }
    const auto found = example_aligner({.max_cells = 300 * 150})->align({{text, half}, {text + " a", half}});
    EXPECT_EQ(found[0].problem, "");
    EXPECT_FALSE(found[0].links.empty());
    EXPECT_EQ(found[1].problem, "too_long");
    EXPECT_TRUE(found[1].links.empty());
    EXPECT_EQ(found[1].source.size(), 301u);
}

TEST(TransportAligner, SeveralThreadsMayAsk) {
    const auto aligner = example_aligner();
    const auto expected = aligner->align(kAlignedPairs);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            const auto found = aligner->align(kAlignedPairs);
            for (size_t n = 0; n < found.size(); ++n) EXPECT_EQ(found[n].links, expected[n].links);
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(TransportAligner, WhatCannotBe) {
    EXPECT_THAT(message_of([] {
                    example_aligner({.mean = {1, 2}});
                }),
                testing::HasSubstr("expected 16 numbers, as the encoder's states have, got 2"));
    EXPECT_THAT(message_of([] { open_word_aligner("/nowhere", {}, at::kFloat, at::kCPU); }), testing::HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace craft
