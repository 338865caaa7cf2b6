#include "eval/editeval/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace craft {
namespace {

TEST(EditStatistics, SpreadOverPrompts) {
    // Mean 4; squares 4 + 0 + 4 = 8, of three values: sqrt(8/3) / 4 = 40.82 %.
    const auto spread = spread_of({2, 4, 6});
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->mean, 4);
    EXPECT_EQ(spread->max, 6);
    EXPECT_EQ(spread->min, 2);
    EXPECT_NEAR(*spread->cv, 100 * std::sqrt(8.0 / 3) / 4, 1e-12);
    EXPECT_FALSE(spread_of({}));
    EXPECT_FALSE(spread_of({-1, 1})->cv) << "a mean of 0";
    EXPECT_EQ(*spread_of({.1, .1, .1})->cv, 0);
    EXPECT_EQ(spread_of({.1, .7, .3})->mean, spread_of({.7, .3, .1})->mean);
}

TEST(EditStatistics, Pearson) {
    EXPECT_NEAR(*pearson({{1, 2}, {2, 4}, {3, 6}}), 1, 1e-12);
    EXPECT_NEAR(*pearson({{1, 3}, {2, 2}, {3, 1}}), -1, 1e-12);
    // Means 2 and 2: xy = (-1)(-1) + 0 + (1)(0) = 1, xx = 2, yy = 1 + 1 + 0 = 2: 1/2.
    EXPECT_NEAR(*pearson({{1, 1}, {2, 3}, {3, 2}}), .5, 1e-12);
    EXPECT_FALSE(pearson({{1, 1}}));
    EXPECT_FALSE(pearson({{1, 1}, {1, 2}})) << "one side does not vary";
}

TEST(EditStatistics, QuartilesAsNumpyHasThem) {
    // numpy.percentile([1, 2, 3, 4], [25, 50, 75]) = [1.75, 2.5, 3.25].
    const Quartiles q = quartiles_of({4, 1, 3, 2});
    EXPECT_EQ(q.min, 1);
    EXPECT_EQ(q.lower, 1.75);
    EXPECT_EQ(q.median, 2.5);
    EXPECT_EQ(q.upper, 3.25);
    EXPECT_EQ(q.max, 4);
    EXPECT_EQ(quartiles_of({7}).lower, 7);
}

}  // namespace
}  // namespace craft
