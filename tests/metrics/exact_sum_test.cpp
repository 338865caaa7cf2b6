#include "metrics/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace craft {
namespace {

TEST(ExactSum, RoundsOnce) {
    ExactSum tenths;
    EXPECT_FALSE(tenths.mean());
    for (int i = 0; i < 10; ++i) tenths.add(0.1);  // one after the other: 0.9999999999999999
    EXPECT_EQ(tenths.sum(), 1.0);
    EXPECT_EQ(tenths.mean(), 0.1);
    ExactSum large;
    for (const double value : {1e100, 1.0, -1e100}) large.add(value);
    EXPECT_EQ(large.sum(), 1.0);
    // 2^53 + 1 lies between two doubles and would be rounded to the even one, but for what comes after it.
    ExactSum tie;
    for (const double value : {9007199254740992.0, 1.0, 1e-30}) tie.add(value);
    EXPECT_EQ(tie.sum(), 9007199254740994.0);
}

TEST(ExactSum, TheOrderChangesNoDigit) {
    std::mt19937_64 random(7);
    std::vector<double> values(1000);
    for (double& value : values) value = static_cast<double>(random() % 1000003) / 1000003.0;
    const auto sum_of = [](const std::vector<double>& all) {
        ExactSum sum;
        for (const double value : all) sum.add(value);
        return sum.sum();
    };
    const double expected = sum_of(values);
    for (int i = 0; i < 20; ++i) {
        std::shuffle(values.begin(), values.end(), random);
        EXPECT_EQ(sum_of(values), expected);
    }
}

}  // namespace
}  // namespace craft
