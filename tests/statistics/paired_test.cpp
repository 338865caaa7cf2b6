#include "statistics/paired.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/rng.h"

namespace craft {
namespace {

PairedOptions with(PairedTest test, int64_t resamples = 1000) {
    PairedOptions options;
    options.test = test;
    options.resamples = resamples;
    return options;
}

TEST(PairedTests, OneThatIsAlwaysBetterWinsEveryResample) {
    const PairedItems items = paired_means({0.5, 0.75, 1}, {0.25, 0.5, 0.75});
    PairedOptions options;  // 100 resamples, as in the paper
    const PairedResult sign = paired_test(items, options);
    EXPECT_EQ(sign.resamples, 100);
    EXPECT_EQ(sign.a_better, 100);
    EXPECT_EQ(sign.b_better, 0);
    EXPECT_NEAR(sign.p, std::ldexp(1.0, -100), 1e-42);
    EXPECT_DOUBLE_EQ(sign.a, 0.75);
    EXPECT_DOUBLE_EQ(sign.difference, 0.25);
    EXPECT_DOUBLE_EQ(sign.low, 0.25);  // every item's difference is the same
    EXPECT_DOUBLE_EQ(sign.high, 0.25);
    EXPECT_EQ(paired_test(items, with(PairedTest::bootstrap)).p, 0);

    options.higher_is_better = false;
    const PairedResult lower = paired_test(items, options);
    EXPECT_EQ(lower.b_better, 100);
    EXPECT_EQ(lower.p, 1);
    EXPECT_DOUBLE_EQ(lower.difference, 0.25) << "a - b, whatever is better";
}

TEST(PairedTests, EqualSystemsAreTies) {
    // Thirds in another order: equal but for rounding.
    const std::vector<double> a = {1.0 / 3, 2.0 / 3, 0.1, 0.7};
    const PairedResult sign = paired_test(paired_means(a, a), PairedOptions{});
    EXPECT_EQ(sign.a_better + sign.b_better, 0);
    EXPECT_EQ(sign.p, 1);
    EXPECT_EQ(paired_test(paired_means(a, a), with(PairedTest::bootstrap)).p, 1);
    EXPECT_EQ(paired_test(paired_means(a, a), with(PairedTest::permutation)).p, 1);
}

// Three items with differences 1: of the 8 ways to change places, two are as far from 0 as the one that is there.
TEST(PairedTests, PermutationsCountThoseAsFarFromZero) {
    const PairedResult result = paired_test(paired_means({1, 1, 1}, {0, 0, 0}), with(PairedTest::permutation, 20000));
    EXPECT_NEAR(result.p, 0.25, 0.015);  // five standard deviations: 5 sqrt(.25 * .75 / 20000)
}

// Differences 3 and -1: a resample of two items is (3,3), (3,-1) twice or (-1,-1), so that A wins three of four.
TEST(PairedTests, ResamplesAreDrawnWithReplacement) {
    const PairedResult result = paired_test(paired_means({3, 0}, {0, 1}), with(PairedTest::bootstrap, 20000));
    EXPECT_NEAR(static_cast<double>(result.a_better) / 20000, 0.75, 0.016);
    EXPECT_NEAR(result.p, 0.25, 0.016);
    EXPECT_DOUBLE_EQ(result.low, -1);
    EXPECT_DOUBLE_EQ(result.high, 3);
}

// Bootstrap of a normal mean: 1.96 standard errors to either side.
TEST(PairedTests, TheIntervalIsThatOfTheMean) {
    Rng rng(7, "items");
    std::vector<double> a, b;
    double sum = 0, squares = 0;
    const int n = 400;
    for (int i = 0; i < n; ++i) {
        a.push_back(0.1 + rng.normal());
        b.push_back(0);
        sum += a.back();
        squares += a.back() * a.back();
    }
    const double mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
    const PairedResult result = paired_test(paired_means(a, b), with(PairedTest::bootstrap, 10000));
    EXPECT_NEAR(result.low, mean - 1.96 * error, 0.05 * error * 2);
    EXPECT_NEAR(result.high, mean + 1.96 * error, 0.05 * error * 2);
}

// A ratio of sums, as corpus metrics have: (4 + 1) / (8 + 1) against (0 + 1) / (8 + 1), and no mean of ratios.
TEST(PairedTests, ACorpusFigureIsOfTheSums) {
    PairedItems items;
    items.a = {{4, 8}, {1, 1}};
    items.b = {{0, 8}, {1, 1}};
    items.figure = [](std::span<const double> sums) { return sums[0] / sums[1]; };
    const PairedResult result = paired_test(items, with(PairedTest::sign, 2000));
    EXPECT_DOUBLE_EQ(result.a, 5.0 / 9);
    EXPECT_DOUBLE_EQ(result.b, 1.0 / 9);
    EXPECT_NEAR(static_cast<double>(result.a_better) / 2000, 0.75, 0.05);  // a tie where item 2 is drawn twice
    EXPECT_EQ(result.b_better, 0);
    const PairedResult permuted = paired_test(items, with(PairedTest::permutation, 2000));
    EXPECT_EQ(permuted.p, 1) << "one item differs: every arrangement is as far from 0";
}

TEST(PairedTests, SeedsDecideAndLongerRunsBeginAlike) {
    std::vector<double> a, b;
    Rng rng(3, "items");
    for (int i = 0; i < 50; ++i) {
        a.push_back(rng.uniform());
        b.push_back(rng.uniform());
    }
    const PairedItems items = paired_means(a, b);
    PairedOptions options = with(PairedTest::sign, 100);
    const PairedResult first = paired_test(items, options), again = paired_test(items, options);
    EXPECT_EQ(first.low, again.low);
    options.seed = 2;
    EXPECT_NE(paired_test(items, options).low, first.low);
    options.seed = 1;
    options.resamples = 101;
    const PairedResult longer = paired_test(items, options);
    EXPECT_LE(longer.a_better - first.a_better + longer.b_better - first.b_better, 1);
}

TEST(PairedTests, NothingToCompareIsAnError) {
    EXPECT_THROW(paired_test(paired_means({}, {}), PairedOptions{}), Error);
    EXPECT_THROW(paired_test(paired_means({1}, {1}), with(PairedTest::sign, 0)), Error);
    EXPECT_THROW(paired_means({1}, {}), std::logic_error);
}

}  // namespace
}  // namespace craft
