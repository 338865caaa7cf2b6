#include "metrics/statistics/holm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

// Sorted .01, .02, .03, .04 times 4, 3, 2, 1: .04, .06, .06, .04, and the last may not fall below those before it.
TEST(Holm, AdjustsInTheOrderGiven) {
    EXPECT_THAT(holm_adjusted({0.04, 0.01, 0.03, 0.02}),
                ElementsAre(DoubleEq(0.06), DoubleEq(0.04), DoubleEq(0.06), DoubleEq(0.06)));
    EXPECT_THAT(holm_adjusted({0.7, 0.6}), ElementsAre(1.0, 1.0));
    EXPECT_THAT(holm_adjusted({0.2}), ElementsAre(0.2));
    EXPECT_THAT(holm_adjusted({}), IsEmpty());
}

}  // namespace
}  // namespace craft
