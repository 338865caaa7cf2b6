#include "systems/hosted/retry_after.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

constexpr std::time_t kNow = 784111777;  // Sun, 06 Nov 1994 08:49:37 GMT

TEST(RetryAfter, SecondsMayHaveAFraction) {
    EXPECT_EQ(retry_after_seconds("2", kNow), 2);
    EXPECT_EQ(retry_after_seconds(" 1.5 ", kNow), 1.5);
    EXPECT_EQ(retry_after_seconds("0.25", kNow), .25);
    for (const char* none : {"0", "0.0", "", "-1", "1,5", "1.", ".5", "1e3", "0x10", "inf", "nan", "2 s", "+1"})
        EXPECT_FALSE(retry_after_seconds(none, kNow)) << none;
}

// The three forms of RFC 9110 §5.6.7.
TEST(RetryAfter, DatesInTheirThreeForms) {
    EXPECT_EQ(retry_after_seconds("Sun, 06 Nov 1994 08:50:07 GMT", kNow), 30);
    EXPECT_EQ(retry_after_seconds("Sunday, 06-Nov-94 08:50:07 GMT", kNow), 30);
    EXPECT_EQ(retry_after_seconds("Sun Nov  6 08:50:07 1994", kNow), 30);
    EXPECT_EQ(retry_after_seconds("Mon, 07 Nov 1994 08:49:37 GMT", kNow), 86400);
    EXPECT_EQ(retry_after_seconds("Thu, 29 Feb 1996 00:00:00 GMT", kNow), 41440223) << "a leap day";
    EXPECT_FALSE(retry_after_seconds("Sun, 06 Nov 1994 08:49:37 GMT", kNow)) << "it is over";
    EXPECT_FALSE(retry_after_seconds("Saturday, 05-Nov-94 08:49:37 GMT", kNow));
}

TEST(RetryAfter, DaysAndTimesThatDoNotExistAreNoDate) {
    for (const char* none :
         {"Tue, 31 Feb 2099 00:00:00 GMT", "Sun, 29 Feb 2099 00:00:00 GMT", "Wed, 31 Apr 2098 00:00:00 GMT",
          "Tue, 00 Jan 2099 00:00:00 GMT", "Tue, 32 Jan 2099 00:00:00 GMT", "Tue, 01 Foo 2099 00:00:00 GMT",
          "Tue, 01 Jan 2099 24:00:00 GMT", "Tue, 01 Jan 2099 00:60:00 GMT", "Tue, 01 Jan 2099 00:00:61 GMT",
          "Tue, 01 Jan 2099 00:00:00", "Tue, 01 Jan 2099 00:00:00 CET", "Tue, 01 Jan 2099 00:00:00 GMT later",
          "01 Jan 2099 00:00:00 GMT", "tomorrow", "Tue Feb 31 00:00:00 2099"})
        EXPECT_FALSE(retry_after_seconds(none, kNow)) << none;
}

}  // namespace
}  // namespace craft
