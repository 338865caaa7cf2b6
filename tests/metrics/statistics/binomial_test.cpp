#include "metrics/statistics/binomial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace craft {
namespace {

TEST(Binomial, TailsByHand) {
    // Ten throws: (45 + 10 + 1) / 2^10 with eight heads or more.
    EXPECT_NEAR(binomial_half_tail(10, 8), 56.0 / 1024, 1e-15);
    EXPECT_NEAR(binomial_half_tail(1, 1), 0.5, 1e-15);
    EXPECT_NEAR(binomial_half_tail(100, 100), std::ldexp(1.0, -100), 1e-42);
    EXPECT_EQ(binomial_half_tail(10, 0), 1);
    EXPECT_EQ(binomial_half_tail(0, 0), 1);
    EXPECT_EQ(binomial_half_tail(10, 11), 0);
    EXPECT_THROW(binomial_half_tail(-1, 0), std::logic_error);
}

// An odd number of throws: heads or tails are in the majority, each with 1/2.
TEST(Binomial, ManyTrialsKeepTheirDigits) {
    EXPECT_NEAR(binomial_half_tail(100001, 50001), 0.5, 1e-9);
}

}  // namespace
}  // namespace craft
