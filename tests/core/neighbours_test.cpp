#include "core/neighbours.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace craft {
namespace {

// user, nice, system, idle ... in hundredths of a second.
const std::string kStat =
    "cpu  600 70 80 1000 9 0 0 0 0 0\n"
    "cpu0 100 30 20 500 9 0 0 0 0 0\n"
    "cpu1 200 40 30 400 0 0 0 0 0 0\n"
    "cpu10 300 0 30 100 0 0 0 0 0 0\n"
    "intr 12345 1 2\nctxt 99\n";

TEST(Neighbours, BusySecondsAreThoseOfTheProcessorsAskedFor) {
    EXPECT_EQ(busy_seconds(kStat, {0}, false, 100), 1.2);
    EXPECT_EQ(busy_seconds(kStat, {0, 1}, false, 100), 3.5);
    EXPECT_EQ(busy_seconds(kStat, {0, 1}, true, 100), 4.2);
    EXPECT_EQ(busy_seconds(kStat, {10}, false, 10), 33.0);
    EXPECT_EQ(busy_seconds(kStat, {0, 2}, false, 100), std::nullopt) << "no processor 2";
    EXPECT_EQ(busy_seconds(kStat, {}, false, 100), std::nullopt);
    EXPECT_EQ(busy_seconds("", {0}, false, 100), std::nullopt);
    EXPECT_EQ(busy_seconds("cpu0 1 x\ncpux 1 2 3\ncpu99999999999 1 2 3\n", {0}, false, 100), std::nullopt);
}

TEST(Neighbours, ABusyProcessIsSeenAndOurOwnWorkIsNot) {
    const pid_t child = ::fork();
    if (child == 0)
        while (true) asm volatile("");
    ASSERT_GT(child, 0);
    Neighbours neighbours;
    ASSERT_GE(neighbours.cores(), 1);
    EXPECT_EQ(neighbours.cores_in_use(), std::nullopt) << "too soon";
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const auto beside = neighbours.cores_in_use();
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ASSERT_TRUE(beside.has_value());
    EXPECT_GE(*beside, 0.2) << "its share, however busy the machine is";
    EXPECT_LE(*beside, neighbours.cores());
}

}  // namespace
}  // namespace craft
