#include "core/svg.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

// From 30 to 40 a step of 2 gives five, one of 5 two, which are too few.
TEST(Svg, AnAxisEndsOnTicks) {
    const Axis tens = axis_around(30, 40);
    EXPECT_EQ(tens.step, 2);
    EXPECT_EQ(tens.low, 30);
    EXPECT_EQ(tens.high, 40);
    EXPECT_EQ(tens.digits, 0);
    const Axis negative = axis_around(-2.62, -2.18);
    EXPECT_NEAR(negative.step, .1, 1e-12);
    EXPECT_NEAR(negative.low, -2.7, 1e-9);
    EXPECT_NEAR(negative.high, -2.1, 1e-9);
    EXPECT_EQ(negative.digits, 1);
    const Axis single = axis_around(3, 3);
    EXPECT_NEAR(single.low, 2.4, 1e-9) << "a half to either side, by steps of .2";
    EXPECT_NEAR(single.high, 3.6, 1e-9);
}

TEST(Svg, TextsAndNumbersAreWritten) {
    EXPECT_EQ(xml_text("a<b & c>\n"), "a&lt;b &amp; c&gt; ");
    EXPECT_EQ(decimal(2.345, 1), "2.3");
}

}  // namespace
}  // namespace craft
