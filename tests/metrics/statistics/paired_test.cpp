#include "metrics/statistics/paired.h"

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

PairedMeans means(std::vector<double> a, std::vector<double> b) {
    return {.a = std::move(a), .b = std::move(b)};
}

TEST(PairedTests, OneThatIsAlwaysBetterWinsEveryResample) {
    const PairedMeans items = means({0.5, 0.75, 1}, {0.25, 0.5, 0.75});
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
    const PairedResult sign = paired_test(means(a, a), PairedOptions{});
    EXPECT_EQ(sign.a_better + sign.b_better, 0);
    EXPECT_EQ(sign.p, 1);
    EXPECT_EQ(paired_test(means(a, a), with(PairedTest::bootstrap)).p, 1);
    EXPECT_EQ(paired_test(means(a, a), with(PairedTest::permutation)).p, 1);
}

// Three items with differences 1: of the 8 ways to change places, two are as far from 0 as the one that is there.
TEST(PairedTests, PermutationsCountThoseAsFarFromZero) {
    const PairedResult result = paired_test(means({1, 1, 1}, {0, 0, 0}), with(PairedTest::permutation, 20000));
    EXPECT_NEAR(result.p, 0.25, 0.015);  // five standard deviations: 5 sqrt(.25 * .75 / 20000)
}

// Differences 3 and -1: a resample of two items is (3,3), (3,-1) twice or (-1,-1), so that A wins three of four.
TEST(PairedTests, ResamplesAreDrawnWithReplacement) {
    const PairedResult result = paired_test(means({3, 0}, {0, 1}), with(PairedTest::bootstrap, 20000));
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
    const PairedResult result = paired_test(means(a, b), with(PairedTest::bootstrap, 10000));
    EXPECT_NEAR(result.low, mean - 1.96 * error, 0.05 * error * 2);
    EXPECT_NEAR(result.high, mean + 1.96 * error, 0.05 * error * 2);
}

double ratio(std::span<const double> sums) {
    return sums[1] == 0 ? 0 : sums[0] / sums[1];
}

// A ratio of sums, as corpus metrics have: (4 + 1) / (8 + 1) against (0 + 1) / (8 + 1), and no mean of ratios. The four ways
// to draw two of two items: the first twice, 8 / 16 against 0; both, in two orders; the second twice, where both have 1.
TEST(PairedTests, ACorpusFigureIsOfTheSums) {
    const CountSums a({{4, 8}, {1, 1}}, ratio), b({{0, 8}, {1, 1}}, ratio);
    const PairedResult result = paired_test(PairedSums{a, b}, with(PairedTest::sign, 2000));
    EXPECT_DOUBLE_EQ(result.a, 5.0 / 9);
    EXPECT_DOUBLE_EQ(result.b, 1.0 / 9);
    EXPECT_NEAR(static_cast<double>(result.a_better) / 2000, 0.75, 0.05);  // a tie where item 2 is drawn twice
    EXPECT_EQ(result.b_better, 0);
    EXPECT_DOUBLE_EQ(result.low, 0);
    EXPECT_DOUBLE_EQ(result.high, 0.5);
    const PairedResult permuted = paired_test(PairedSums{a, b}, with(PairedTest::permutation, 2000));
    EXPECT_EQ(permuted.p, 1) << "one item differs: every arrangement is as far from 0";
}

// The same ratio: .5 where the first is drawn twice, 1 where the second is, each in a quarter of the resamples.
TEST(PairedTests, AFigureHasItsOwnInterval) {
    const FigureInterval of = interval_of_figure(CountSums({{4, 8}, {1, 1}}, ratio));
    EXPECT_DOUBLE_EQ(of.figure, 5.0 / 9);
    EXPECT_EQ(of.interval, Interval(.5, 1));
}

// docs/definitions.md tells how many instructions show which difference: two planners that differ on a fifth of 1,000, of
// which A has 115 and B 85, are .03 apart, and the interval reaches 1.96 sqrt(.2 - .03^2) / sqrt(1000) = .0277 to either
// side.
TEST(PairedTests, AThousandInstructionsShowThreeHundredths) {
    std::vector<double> a(1000, 0), b(1000, 0);
    for (size_t i = 0; i < 200; ++i) (i < 115 ? a : b)[i] = 1;
    const PairedResult result = paired_test(means(a, b), with(PairedTest::bootstrap, 10000));
    EXPECT_DOUBLE_EQ(result.difference, .03);
    EXPECT_NEAR(result.low, .03 - .0277, .0015);
    EXPECT_NEAR(result.high, .03 + .0277, .0015);
    EXPECT_GT(result.low, 0);
}

// Whole numbers that are items' values themselves: sums give what means give, of the same draws and the same coins.
TEST(PairedTests, SumsAreDrawnAsMeansAre) {
    std::vector<double> a, b;
    std::vector<std::vector<int64_t>> counts_a, counts_b;
    Rng rng(5, "items");
    for (int i = 0; i < 150; ++i) {
        a.push_back(static_cast<double>(rng.between(0, 9)));
        b.push_back(static_cast<double>(rng.between(0, 8)));
        counts_a.push_back({static_cast<int64_t>(a.back()), 1});
        counts_b.push_back({static_cast<int64_t>(b.back()), 1});
    }
    const CountSums sums_a(counts_a, ratio), sums_b(counts_b, ratio);
    for (const PairedTest test : {PairedTest::sign, PairedTest::bootstrap, PairedTest::permutation}) {
        const PairedResult of_means = paired_test(means(a, b), with(test)),
                           of_sums = paired_test(PairedSums{sums_a, sums_b}, with(test));
        EXPECT_EQ(of_means.p, of_sums.p);
        EXPECT_EQ(of_means.low, of_sums.low);
        EXPECT_EQ(of_means.a_better, of_sums.a_better);
    }
}

TEST(PairedTests, ThreadsChangeNoDigit) {
    std::vector<std::vector<int64_t>> counts_a, counts_b;
    Rng rng(6, "items");
    for (int i = 0; i < 90; ++i) {
        counts_a.push_back({rng.between(0, 9), 10});
        counts_b.push_back({rng.between(0, 9), 10});
    }
    const CountSums a(counts_a, ratio), b(counts_b, ratio);
    PairedOptions options = with(PairedTest::permutation, 501);
    const PairedResult alone = paired_test(PairedSums{a, b}, options);
    options.threads = 4;
    const PairedResult several = paired_test(PairedSums{a, b}, options);
    EXPECT_EQ(alone.p, several.p);
    EXPECT_EQ(alone.low, several.low);
    EXPECT_EQ(alone.high, several.high);
    EXPECT_EQ(alone.a_better, several.a_better);
}

TEST(PairedTests, SeedsDecideAndLongerRunsBeginAlike) {
    std::vector<double> a, b;
    Rng rng(3, "items");
    for (int i = 0; i < 50; ++i) {
        a.push_back(rng.uniform());
        b.push_back(rng.uniform());
    }
    const PairedMeans items = means(a, b);
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
    EXPECT_THROW(paired_test(means({}, {}), PairedOptions{}), Error);
    EXPECT_THROW(paired_test(means({1}, {1}), with(PairedTest::sign, 0)), Error);
    EXPECT_THROW(paired_test(means({1}, {}), PairedOptions{}), std::logic_error);
    const CountSums none({}, ratio), one({{1, 2}}, ratio), wide({{1, 2, 3}}, ratio);
    EXPECT_THROW(paired_test(PairedSums{none, none}, PairedOptions{}), Error);
    EXPECT_THROW(paired_test(PairedSums{one, none}, PairedOptions{}), std::logic_error);
    EXPECT_THROW(paired_test(PairedSums{one, wide}, PairedOptions{}), std::logic_error);
    EXPECT_THROW(CountSums({{1}, {1, 2}}, ratio), std::logic_error);
    // In another thread, too: what it throws is thrown here.
    const CountSums infinite({{1, 2}, {3, 4}}, [](std::span<const double> sums) { return 1 / (sums[0] - 2); });
    PairedOptions threads = with(PairedTest::sign, 200);
    threads.threads = 3;
    EXPECT_THROW(paired_test(PairedSums{infinite, infinite}, threads), Error) << "item 1 twice";
}

}  // namespace
}  // namespace craft
