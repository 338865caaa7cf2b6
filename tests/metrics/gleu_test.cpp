#include "metrics/gleu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace craft {
namespace {

using testing::ElementsAre;

// Source "a b c d e", prediction "a b x d e", reference "a b y d e".
// n = 1: a, b, d, e match; c is the source's but not the prediction's, x is nobody's: 4 of 5. n = 2: ab, de: 2 of 4. n = 3,
// 4: none.
TEST(Gleu, CountsByHand) {
    const GleuCounts counts = gleu_counts("a b c d e", "a b x d e", {"a b y d e"})[0];
    EXPECT_EQ(counts.prediction_length, 5);
    EXPECT_EQ(counts.reference_length, 5);
    EXPECT_THAT(counts.matches, ElementsAre(4, 2, 0, 0));
    EXPECT_THAT(counts.totals, ElementsAre(5, 4, 3, 2));
    EXPECT_EQ(gleu(counts, false), 0);
    // Zeros are taken as 1: (4/5 * 2/4 * 1/3 * 1/2)^(1/4).
    EXPECT_NEAR(gleu(counts, true), std::pow(4.0 / 5 * 2 / 4 / 3 / 2, 0.25), 1e-15);
}

// A copy keeps c, which the reference gave up: 4 matches less 1; of pairs ab, de less bc, cd: 0.
TEST(Gleu, WhatTheReferenceGaveUpCountsAgainst) {
    const GleuCounts counts = gleu_counts("a b c d e", "a b c d e", {"a b y d e"})[0];
    EXPECT_THAT(counts.matches, ElementsAre(3, 0, 0, 0));
}

// Where the reference has an n-gram at all, more of it in the source is no loss.
TEST(Gleu, ClipsAndForgivesByType) {
    const GleuCounts counts = gleu_counts("a a a", "a a a", {"a"})[0];
    EXPECT_THAT(counts.matches, ElementsAre(1, 0, 0, 0));
}

TEST(Gleu, ShortPredictionsPay) {
    // All matches: 5 of 5 ... 2 of 2; the penalty is exp(1 - 10/5).
    const GleuCounts counts = gleu_counts("", "a b c d e", {"a b c d e f g h i j"})[0];
    EXPECT_NEAR(gleu(counts, false), std::exp(-1), 1e-15);
}

TEST(Gleu, EmptyTexts) {
    EXPECT_EQ(gleu(gleu_counts("a", "", {"b"})[0], false), 0);
    EXPECT_EQ(gleu(gleu_counts("", "", {""})[0], true), 1);  // all ten numbers are taken as 1
    EXPECT_EQ(gleu(gleu_counts("", "a b c d", {""})[0], false), 0);
}

}  // namespace
}  // namespace craft
