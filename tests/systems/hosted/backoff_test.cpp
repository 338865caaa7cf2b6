#include "systems/hosted/backoff.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace craft {
namespace {

TEST(Backoff, DoublesWithinItsUpperHalfUpToTheLongest) {
    const BackoffOptions options{.first = 0.5, .longest = 6};
    for (int64_t attempt = 1; attempt < 80; ++attempt) {
        const double most = attempt < 5 ? 0.5 * std::exp2(attempt - 1) : 6;  // 0.5, 1, 2, 4, then 8 is above 6
        const double wait = backoff_seconds(options, 7, 0, attempt);
        EXPECT_GE(wait, most / 2) << attempt;
        EXPECT_LE(wait, most) << attempt;
    }
}

TEST(Backoff, TheKeySaysHowLong) {
    std::set<double> waits;
    for (uint64_t item = 0; item < 20; ++item)
        for (uint64_t sample = 0; sample < 3; ++sample) {
            waits.insert(backoff_seconds({}, item, sample, 1));
            EXPECT_EQ(backoff_seconds({}, item, sample, 1), backoff_seconds({}, item, sample, 1));
        }
    EXPECT_EQ(waits.size(), 60u);  // no two of them come back together
    EXPECT_EQ(backoff_seconds({.first = 0}, 1, 1, 3), 0);
}

}  // namespace
}  // namespace craft
