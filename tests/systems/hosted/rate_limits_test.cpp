#include "systems/hosted/rate_limits.h"

#include <gtest/gtest.h>

#include <vector>

namespace craft {
namespace {

// When requests of this many tokens begin, each as soon as it may.
std::vector<double> begin_times(RateLimits limits, double tokens, int count) {
    std::vector<double> times;
    double now = 100;
    for (int i = 0; i < count; ++i) {
        now = limits.ready_at(tokens, now);
        EXPECT_DOUBLE_EQ(limits.ready_at(tokens, now), now);
        limits.take(tokens, now);
        times.push_back(now);
    }
    return times;
}

// Most that begin within any 60 seconds.
int max_in_a_minute(const std::vector<double>& times) {
    int most = 0;
    for (size_t i = 0, first = 0; i < times.size(); ++i) {
        while (times[i] - times[first] >= 60 - 1e-9) ++first;
        most = std::max(most, static_cast<int>(i - first + 1));
    }
    return most;
}

TEST(RateLimits, NoMinuteHasMoreRequestsThanTheLimit) {
    for (const int64_t limit : {1, 2, 60, 99, 500, 3000}) {
        const auto times = begin_times(RateLimits(limit, {}), 1000, static_cast<int>(3 * limit) + 2);
        EXPECT_EQ(max_in_a_minute(times), limit);
    }
}

TEST(RateLimits, TokensHoldBackAndAreGivenBack) {
    // 6,000 a minute: 600 at once, and (6000 - 600) / 60 = 90 a second.
    RateLimits limits({}, 6000);
    EXPECT_DOUBLE_EQ(limits.ready_at(500, 0), 0);
    limits.take(500, 0);
    EXPECT_DOUBLE_EQ(limits.ready_at(190, 0), 1);  // 100 are left; 90 are missing
    limits.give_back_tokens(90, 0);
    EXPECT_DOUBLE_EQ(limits.ready_at(190, 0), 0);
    // What is larger than the bucket waits for a full one and leaves a debt: (600 - 190) / 90 s.
    EXPECT_DOUBLE_EQ(limits.ready_at(6000, 0), (600.0 - 190) / 90);
    limits.take(6000, 5);
    EXPECT_GT(limits.ready_at(1, 5), 60);
}

TEST(RateLimits, WithoutLimitsNothingWaits) {
    RateLimits limits({}, {});
    limits.take(1e12, 0);
    EXPECT_DOUBLE_EQ(limits.ready_at(1e12, 0), 0);
}

}  // namespace
}  // namespace craft
