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

TEST(EditStatistics, BoxesAsMatplotlibDrawsThem) {
    // numpy.percentile([1, 2, 3, 4], [25, 50, 75]) = [1.75, 2.5, 3.25].
    const BoxNumbers box = box_numbers_of({4, 1, 3, 2});
    EXPECT_EQ(box.lower_whisker, 1);
    EXPECT_EQ(box.lower, 1.75);
    EXPECT_EQ(box.median, 2.5);
    EXPECT_EQ(box.upper, 3.25);
    EXPECT_EQ(box.upper_whisker, 4);
    EXPECT_TRUE(box.outliers.empty());
    EXPECT_EQ(box_numbers_of({7}).lower, 7);
    // Quartiles 2 and 4, height 2: whiskers reach from -1 to 7, and 8 and -2 lie beyond.
    const BoxNumbers with = box_numbers_of({8, 1, 2, 3, 4, 4, 3, 2, -2});
    EXPECT_EQ(with.lower, 2);
    EXPECT_EQ(with.upper, 4);
    EXPECT_EQ(with.lower_whisker, 1);
    EXPECT_EQ(with.upper_whisker, 4);
    EXPECT_EQ(with.outliers, (std::vector<double>{-2, 8}));
    // Quartiles 0, 0 and 0: whatever differs is an outlier.
    EXPECT_EQ(box_numbers_of({0, 0, 0, 0, 0, 1}).outliers, std::vector<double>{1});
}

}  // namespace
}  // namespace craft
