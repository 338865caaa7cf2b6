#include "core/other_cpu_load.h"

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

TEST(OtherCpuLoad, BusySecondsAreThoseOfTheProcessorsAskedFor) {
    EXPECT_EQ(busy_seconds(kStat, {0}, false, 100), 1.2);
    EXPECT_EQ(busy_seconds(kStat, {0, 1}, false, 100), 3.5);
    EXPECT_EQ(busy_seconds(kStat, {0, 1}, true, 100), 4.2);
    EXPECT_EQ(busy_seconds(kStat, {10}, false, 10), 33.0);
    EXPECT_EQ(busy_seconds(kStat, {0, 2}, false, 100), std::nullopt) << "no processor 2";
    EXPECT_EQ(busy_seconds(kStat, {}, false, 100), std::nullopt);
    EXPECT_EQ(busy_seconds("", {0}, false, 100), std::nullopt);
    EXPECT_EQ(busy_seconds("cpu0 1 x\ncpux 1 2 3\ncpu99999999999 1 2 3\n", {0}, false, 100), std::nullopt);
}

TEST(OtherCpuLoad, ABusyProcessIsSeenAndOurOwnWorkIsNot) {
    const pid_t child = ::fork();
    if (child == 0)
        while (true) asm volatile("");
    ASSERT_GT(child, 0);
    OtherCpuLoad other_load;
    ASSERT_GE(other_load.cores(), 1);
    EXPECT_EQ(other_load.cores_in_use(), std::nullopt) << "too soon";
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const auto beside = other_load.cores_in_use();
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ASSERT_TRUE(beside.has_value());
    EXPECT_GE(*beside, 0.2) << "its share, however busy the machine is";
    EXPECT_LE(*beside, other_load.cores());
}

TEST(OtherCpuLoad, LeaveAtLeastOneCore) {
    EXPECT_EQ(free_cores(0, 2, 2), 2);
    EXPECT_EQ(free_cores(0.4, 2, 2), 2) << "a light neighbour costs less than a core";
    EXPECT_EQ(free_cores(0.67, 2, 2), 1) << "what a busy process gets beside two threads of ours";
    EXPECT_EQ(free_cores(1, 2, 2), 1);
    EXPECT_EQ(free_cores(2, 2, 2), 1) << "never none";
    EXPECT_EQ(free_cores(5.2, 16, 16), 11);
    EXPECT_EQ(free_cores(5.2, 16, 8), 8) << "no more than are asked for";
}

TEST(WorkerThreads, AreThoseAskedForOrWhatIsFree) {
    WorkerThreads asked(7);
    EXPECT_EQ(asked.now(), 7) << "whatever others do";
    WorkerThreads free(0);
    const int cores = OtherCpuLoad().cores();
    EXPECT_EQ(free.now(), cores) << "nothing is known yet";
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_GE(free.now(), 1);
    EXPECT_LE(free.now(), cores);
}

}  // namespace
}  // namespace craft
