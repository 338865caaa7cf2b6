#include "systems/hosted/concurrency_limit.h"

#include <gtest/gtest.h>

#include <vector>

namespace craft {
namespace {

// Begins as many as there is room for.
std::vector<uint64_t> fill(ConcurrencyLimit& limit, double now = 0) {
    std::vector<uint64_t> tickets;
    while (limit.has_room(now)) tickets.push_back(limit.begin());
    return tickets;
}

TEST(ConcurrencyLimit, SlowStartDoublesWithEachRound) {
    ConcurrencyLimit limit({.first = 4, .max_limit = 20});
    EXPECT_EQ(fill(limit).size(), 4u);
    // Each success frees one and adds one, as long as the limit was used up: 4, then 8, 16, and 20 at most.
    for (const int64_t expected : {8, 16, 20, 20}) {
        std::vector<uint64_t> round;
        for (auto begun = limit.in_flight(), i = int64_t{0}; i < begun; ++i) {
            limit.succeeded(1 + static_cast<uint64_t>(i));
            for (const uint64_t ticket : fill(limit)) round.push_back(ticket);
        }
        EXPECT_EQ(limit.limit(), expected);
        EXPECT_EQ(limit.in_flight(), expected);
    }
    EXPECT_EQ(limit.highest(), 20);
}

TEST(ConcurrencyLimit, ABurstCutsOnceAndARunAddsOne) {
    ConcurrencyLimit limit({.first = 8, .max_limit = 100});
    const std::vector<uint64_t> burst = fill(limit);
    for (const uint64_t ticket : burst) limit.refused(ticket);
    EXPECT_EQ(limit.limit(), 6);  // 8 * .75, once for all eight
    for (int64_t i = 0; i < 6; ++i) {
        EXPECT_EQ(limit.limit(), 6) << i;
        const auto tickets = fill(limit);
        limit.succeeded(tickets.front());
        for (size_t k = 1; k < tickets.size(); ++k) limit.ended(tickets[k]);
    }
    EXPECT_EQ(limit.limit(), 7);  // six successes in a row: no more slow start
    for (const uint64_t ticket : fill(limit)) limit.refused(ticket);
    EXPECT_EQ(limit.limit(), 5);  // 7 * .75 = 5.25: those that began after the first cut make another burst
}

TEST(ConcurrencyLimit, SuccessesFromBeforeACutAddNothing) {
    ConcurrencyLimit limit({.first = 4, .max_limit = 100});
    const auto tickets = fill(limit);
    limit.refused(tickets[0]);
    for (size_t i = 1; i < 4; ++i) limit.succeeded(tickets[i]);
    EXPECT_EQ(limit.limit(), 3);
    EXPECT_EQ(limit.in_flight(), 0);
}

TEST(ConcurrencyLimit, AnUnusedLimitDoesNotGrow) {
    ConcurrencyLimit limit({.first = 4, .max_limit = 100});
    for (int i = 0; i < 50; ++i) limit.succeeded(limit.begin());
    EXPECT_EQ(limit.limit(), 4);
}

TEST(ConcurrencyLimit, NeverBelowOneAndNeverOtherThanFixed) {
    ConcurrencyLimit limit({.first = 2, .max_limit = 100});
    for (int i = 0; i < 10; ++i) limit.refused(limit.begin());
    EXPECT_EQ(limit.limit(), 1);
    EXPECT_TRUE(limit.has_room(0));
    ConcurrencyLimit fixed({.fixed = 3});
    fixed.refused(fixed.begin());
    fixed.succeeded(fixed.begin());
    EXPECT_EQ(fixed.limit(), 3);
}

TEST(ConcurrencyLimit, ABlockEndsInTimeAndIsNotShortened) {
    ConcurrencyLimit limit({.first = 2});
    limit.block_until(5);
    limit.block_until(3);
    EXPECT_FALSE(limit.has_room(4.9));
    EXPECT_TRUE(limit.has_room(5));
}

}  // namespace
}  // namespace craft
