// Every way for a run of items side by side to end early by an error: what was handed over before, and that it runs again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "core/error.h"
#include "tests/core/flow_parts.h"

namespace craft {
namespace {

using test::Event;
using test::first_numbers;
using test::Numbers;
using test::numbers_up_to;
using test::Ran;
using test::run_numbers;
using test::Station;
using ::testing::ElementsAre;

TEST(FlowErrors, AnItemThatThrowsEndsTheRunBehindThoseBeforeIt) {
    Flow flow({.items_at_once = 10});
    Event thrown;
    std::atomic<int64_t> begun = 0;
    Station station(flow);
    const Ran ran = run_numbers(flow, 1000, [&](int64_t& item) {
        ++begun;
        if (item == 4) {
            thrown.happen();
            throw std::runtime_error("item 4");
        }
        if (item < 4) {
            EXPECT_TRUE(thrown.wait());
            station.visit(item);  // those before it still get what they need
        }
        return item;
    });
    EXPECT_EQ(ran.results, first_numbers(4));
    EXPECT_EQ(ran.error, "item 4");
    EXPECT_LT(begun, 1000) << "items are begun behind one that failed";
}

TEST(FlowErrors, NothingIsBegunBehindAnItemThatThrew) {
    Flow flow({.items_at_once = 1});
    std::atomic<int64_t> begun = 0;
    const Ran ran = run_numbers(flow, 100, [&](int64_t& item) {
        ++begun;
        if (item == 6) throw std::runtime_error("item 6");
        return item;
    });
    EXPECT_EQ(ran.results, first_numbers(6));
    EXPECT_EQ(begun, 7);
}

TEST(FlowErrors, OfSeveralErrorsTheFirstItemsIsThrown) {
    for (int i = 0; i < 20; ++i) {
        Flow flow({.items_at_once = 8});
        const Ran ran = run_numbers(flow, 8, [&](int64_t& item) -> int64_t {
            if (item >= 3) throw std::runtime_error("item " + std::to_string(item));
            return item;
        });
        EXPECT_EQ(ran.results, first_numbers(3));
        EXPECT_EQ(ran.error, "item 3");  // it was begun before the others
    }
}

TEST(FlowErrors, ResultsBehindAFailedItemAreLeftOutUnlessItIsSkipped) {
    for (const bool skips_failed : {false, true}) {
        Flow flow({.items_at_once = 4});
        Event others_have_begun;
        std::atomic<int> others = 0;
        const auto work = [&](int64_t& item) -> int64_t {
            if (item > 0) {
                if (++others == 3) others_have_begun.happen();
                return item;
            }
            others_have_begun.wait();
            throw std::runtime_error("item 0");
        };
        const Ran ran = run_numbers(flow, 4, work, skips_failed);
        EXPECT_EQ(ran.results, skips_failed ? Numbers({1, 2, 3}) : Numbers());
        EXPECT_EQ(ran.error, "item 0");
        // More items than threads: what had not begun is not.
        const Ran many = run_numbers(
            flow, 1000, [](int64_t& item) -> int64_t { return item == 2 ? throw std::runtime_error("item 2") : item; },
            skips_failed);
        EXPECT_EQ(many.error, "item 2");
        EXPECT_LT(many.results.size(), 1000u - 1);
    }
}

TEST(FlowErrors, WhatNextThrowsComesBehindTheItemsBeforeIt) {
    Flow flow({.items_at_once = 3});
    Station station(flow);
    int64_t given = 0;
    Numbers results;
    const auto run = [&] {
        flow.run<int64_t, int64_t>(
            [&]() -> std::optional<int64_t> {
                if (given == 50) throw Error("line 51", "an object", "a list");
                return given++;
            },
            [&](int64_t& item) {
                station.visit(item);
                return item;
            },
            [&](int64_t&, int64_t& result) { results.push_back(result); });
    };
    EXPECT_THROW(run(), Error);
    EXPECT_EQ(given, 50) << "asked for more behind an error";
    EXPECT_EQ(results, first_numbers(50));
    EXPECT_THROW(run(), Error);  // nothing at all before it
    EXPECT_EQ(results, first_numbers(50));
}

TEST(FlowErrors, WhatDoneThrowsEndsTheRun) {
    Flow flow({.items_at_once = 4});
    Station station(flow);
    Numbers handed;
    const auto run = [&] {
        flow.run<int64_t, int64_t>(
            numbers_up_to(1000),
            [&](int64_t& item) {
                station.visit(item);
                return item;
            },
            [&](int64_t& item, int64_t&) {
                handed.push_back(item);
                if (item == 5) throw std::runtime_error("a full disk");
            });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_EQ(handed, first_numbers(6));
}

TEST(FlowErrors, WhatAStationThrowsEveryItemOfTheBatchGets) {
    Flow flow({.items_at_once = 3});
    Station station(flow);
    station.on_serve = [] { throw std::runtime_error("out of memory"); };
    const Ran caught = run_numbers(flow, 6, [&](int64_t& item) {
        try {
            station.visit(item);
            return item;
        } catch (const std::runtime_error&) {
            return -item;
        }
    });
    EXPECT_EQ(caught.results, (Numbers{0, -1, -2, -3, -4, -5}));
    EXPECT_THAT(station.batches, ElementsAre(Numbers{0, 1, 2}, Numbers{3, 4, 5}));
    const Ran thrown = run_numbers(flow, 6, [&](int64_t& item) {
        station.visit(item);
        return item;
    });
    EXPECT_THAT(thrown.results, ElementsAre());
    EXPECT_EQ(thrown.error, "out of memory");
}

TEST(FlowErrors, RunsAgainAfterEveryKindOfEnd) {
    Flow flow({.items_at_once = 4, .items_ahead = 6});
    Station station(flow);
    for (int i = 0; i < 5; ++i) {
        const Ran good = run_numbers(flow, 20, [&](int64_t& item) {
            station.visit(item);
            return item;
        });
        EXPECT_EQ(good.results, first_numbers(20));
        EXPECT_EQ(good.error, "");
        const Ran bad = run_numbers(flow, 20, [&](int64_t& item) {
            if (item == 9) throw std::runtime_error("item 9");
            station.visit(item);
            return item;
        });
        EXPECT_EQ(bad.results, first_numbers(9));
        EXPECT_EQ(bad.error, "item 9");
    }
    EXPECT_THAT(run_numbers(flow, 0, [](int64_t& item) { return item; }).results, ElementsAre());
}

}  // namespace
}  // namespace craft
