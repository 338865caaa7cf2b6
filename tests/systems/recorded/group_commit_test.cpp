#include "systems/recorded/group_commit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

// While the first transaction lasts, seven more threads come.
TEST(GroupCommit, WhatWaitsIsCommittedTogether) {
    std::atomic<int> begun = 0, committed = 0, worked = 0, started = 0;
    std::atomic<bool> may_end = false;
    GroupCommit commits({[&] { ++begun; },
                         [&] {
                             while (!may_end) std::this_thread::yield();
                             ++committed;
                         },
                         [] {}});
    std::vector<std::thread> threads;
    const auto one = [&] {
        ++started;
        commits.run([&] { ++worked; });
        EXPECT_GE(committed, 1) << "no one returns before its transaction is committed";
    };
    threads.emplace_back(one);
    while (worked < 1) std::this_thread::yield();
    for (int i = 0; i < 7; ++i) threads.emplace_back(one);
    while (started < 8) std::this_thread::yield();
    EXPECT_EQ(begun, 1);
    may_end = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(worked, 8);
    EXPECT_EQ(begun, committed);
}

TEST(GroupCommit, AFailureRollsBackAndReachesTheCallerAndTheNextOneWorks) {
    int rolled_back = 0, committed = 0;
    bool begins = true, commits_well = true;
    GroupCommit commits({[&] {
                             if (!begins) throw Error("begin");
                         },
                         [&] {
                             if (!commits_well) throw Error("commit");
                             ++committed;
                         },
                         [&] { ++rolled_back; }});
    EXPECT_EQ(message_of([&] { commits.run([] { throw Error("work"); }); }), "work");
    EXPECT_EQ(rolled_back, 1);
    commits_well = false;
    EXPECT_EQ(message_of([&] { commits.run([] {}); }), "commit");
    EXPECT_EQ(rolled_back, 2);
    begins = false;
    EXPECT_EQ(message_of([&] { commits.run([] { FAIL(); }); }), "begin");
    EXPECT_EQ(rolled_back, 2) << "nothing had begun";
    begins = commits_well = true;
    commits.run([] {});
    EXPECT_EQ(committed, 1);
}

}  // namespace
}  // namespace craft
