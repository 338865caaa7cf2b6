// Items side by side: the order of results, bounds, exact batches, waits, and a signal.
#include "core/flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <latch>
#include <set>

#include "core/error.h"
#include "core/rng.h"
#include "core/signals.h"
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

TEST(Flow, HandsOverInOrderWhateverEndsFirst) {
    Flow flow({.items_at_once = 10});
    Event others_ended;
    std::atomic<int> ended = 0;
    const std::thread::id caller = std::this_thread::get_id();
    std::vector<std::pair<int64_t, int64_t>> handed;
    flow.run<int64_t, int64_t>(
        numbers_up_to(10),
        [&](int64_t& item) {
            EXPECT_NE(std::this_thread::get_id(), caller);
            if (item == 0)
                EXPECT_TRUE(others_ended.wait()) << "the first item stalls the others";
            else if (++ended == 9)
                others_ended.happen();
            return item * item;
        },
        [&](int64_t& item, int64_t& result) {
            EXPECT_EQ(std::this_thread::get_id(), caller);
            handed.emplace_back(item, result);
        });
    ASSERT_EQ(handed.size(), 10u);
    for (int64_t i = 0; i < 10; ++i) EXPECT_EQ(handed[static_cast<size_t>(i)], std::pair(i, i * i));
}

TEST(Flow, NoMoreItemsAtOnceAndAheadThanItMay) {
    Flow flow({.items_at_once = 3, .items_ahead = 5});
    std::atomic<int64_t> at_once = 0, max_concurrent = 0;
    int64_t given = 0, handed = 0, max_ahead = 0;
    Station station(flow);
    flow.run<int64_t, int64_t>(
        [&]() -> std::optional<int64_t> {
            if (given == 40) return std::nullopt;
            max_ahead = std::max(max_ahead, given + 1 - handed);
            return given++;
        },
        [&](int64_t& item) {
            const int64_t now = ++at_once;
            for (int64_t most = max_concurrent; now > most && !max_concurrent.compare_exchange_weak(most, now);) {}
            station.visit(item);
            --at_once;
            return item;
        },
        [&](int64_t&, int64_t&) { ++handed; });
    EXPECT_EQ(handed, 40);
    EXPECT_EQ(max_concurrent, 3);
    EXPECT_EQ(max_ahead, 5);
}

TEST(Flow, JobsAreGatheredUntilNoItemCanGoOnWithout) {
    Flow flow({.items_at_once = 4});
    Station first(flow), second(flow);
    std::set<std::thread::id> items_threads;
    const Ran ran = run_numbers(flow, 10, [&](int64_t& item) {
        first.visit(item);
        // The second station is that of even numbers; odd ones come to the first again.
        (item % 2 == 0 ? second : first).visit(item);
        return item;
    });
    EXPECT_EQ(ran.results, first_numbers(10));
    // Four items at once, then, of those that wait, the station of the lowest number first. While it is served, the others
    // stay: {0, 2} end and 4 and 5 come to the first station, where 1 and 3 are.
    EXPECT_EQ(first.batches.front(), (Numbers{0, 1, 2, 3}));
    EXPECT_EQ(second.batches.front(), (Numbers{0, 2}));
    EXPECT_EQ(first.batches.at(1), (Numbers{1, 3, 4, 5}));
    EXPECT_THAT(first.threads, ElementsAre(std::this_thread::get_id()));
}

TEST(Flow, BatchesAreTheSameInEveryRun) {
    const auto batches = [] {
        Flow flow({.items_at_once = 4, .items_ahead = 20});
        Station station(flow);
        run_numbers(flow, 30, [&](int64_t& item) {
            for (int64_t k = 0; k <= item % 3; ++k) station.visit(item);
            return item;
        });
        return station.batches;
    };
    const auto expected = batches();
    EXPECT_EQ(expected.front(), (Numbers{0, 1, 2, 3}));
    for (int i = 0; i < 20; ++i) ASSERT_EQ(batches(), expected);
}

TEST(Flow, WhoWaitsForSomethingOutsideHoldsNobodyUp) {
    Flow flow;
    Event served;
    Station station(flow);
    station.on_serve = [&] { served.happen(); };
    const Ran ran = run_numbers(flow, 3, [&](int64_t& item) {
        if (item == 0) {
            const Flow::Waiting waiting(flow);
            { const Flow::Waiting within(flow); }  // its end does not end the outer one
            EXPECT_TRUE(served.wait()) << "the others waited for an item that waits";
        } else {
            station.visit(item);
        }
        return item;
    });
    EXPECT_EQ(ran.results, first_numbers(3));
    EXPECT_THAT(station.batches, ElementsAre(Numbers{1, 2}));
}

TEST(Flow, ItemsThatWaitedAndComputedMeanwhileCountAgain) {
    Flow flow;
    for (int i = 0; i < 20; ++i) {
        Station within(flow), behind(flow);
        std::latch all_served(5), all_count(5);
        const Ran ran = run_numbers(flow, 5, [&](int64_t& item) {
            {
                const Flow::Waiting waiting(flow);
                within.visit(item);
                all_served.arrive_and_wait();
            }
            all_count.arrive_and_wait();
            // An item that was counted twice would never be served, and one not at all too early.
            behind.visit(item);
            behind.visit(item);
            return item;
        });
        EXPECT_EQ(ran.results, first_numbers(5));
        EXPECT_THAT(behind.batches, ElementsAre(first_numbers(5), first_numbers(5)));
    }
}

TEST(Flow, WaitingOfAnotherThreadIsNobodys) {
    Flow flow;
    { const Flow::Waiting waiting(flow); }
    Station station(flow);
    station.visit(7);  // outside any item: at once
    EXPECT_THAT(station.batches, ElementsAre(Numbers{7}));
    Flow other;  // an item of another flow is none of this one's
    run_numbers(other, 2, [&](int64_t& item) {
        const Flow::Waiting waiting(flow);
        if (item == 1) station.visit(item);
        return item;
    });
    EXPECT_THAT(station.batches, ElementsAre(Numbers{7}, Numbers{1}));
}

TEST(Flow, ThousandsOfTinyItems) {
    Flow flow({.items_at_once = 8, .items_ahead = 64});
    const Ran ran = run_numbers(flow, 10000, [](int64_t& item) { return item; });
    EXPECT_EQ(ran.results, first_numbers(10000));
}

TEST(Flow, OptionsMustLetItGoOn) {
    EXPECT_THROW(Flow({.items_at_once = 0}), Error);
    EXPECT_THROW(Flow({.items_ahead = 0}), Error);
}

// Items that do what the numbers of their streams say: each result is what one alone would get.
TEST(Flow, RandomItemsGetWhatTheyWouldAlone) {
    for (uint64_t seed = 0; seed < 6; ++seed) {
        Rng bounds(seed, "bounds");
        Flow flow({.items_at_once = bounds.between(1, 9), .items_ahead = bounds.between(1, 20)});
        struct Job {
            int64_t in, out = 0;
        };
        const Flow::Serve doubles = [](const std::vector<void*>& jobs) {
            for (void* job : jobs) static_cast<Job*>(job)->out = 2 * static_cast<Job*>(job)->in;
        };
        const int stations[3] = {};
        const auto work = [&](int64_t item, bool alone) {
            Rng rng(seed, "item", std::to_string(item));
            int64_t value = item;
            for (int64_t k = rng.between(0, 6); k > 0; --k) {
                const int64_t kind = rng.between(0, 4);
                std::optional<Flow::Waiting> waiting;
                if (kind == 3 && !alone) waiting.emplace(flow);
                if (kind == 4) std::this_thread::yield();
                Job job{value + kind};
                if (alone)
                    doubles({&job});
                else
                    flow.compute(&stations[kind % 3], doubles, &job);
                value = job.out % 100003;
            }
            return value;
        };
        Numbers expected;
        for (int64_t item = 0; item < 300; ++item) expected.push_back(work(item, true));
        const Ran ran = run_numbers(flow, 300, [&](int64_t& item) { return work(item, false); });
        EXPECT_EQ(ran.results, expected) << "seed " << seed;
    }
}

// In a process of its own: the flag stays set.
TEST(FlowDeathTest, ASignalEndsTheRunWithWhatIsDoneHandedOver) {
    const auto stop = [] {
        install_signal_flags();
        Flow flow({.items_at_once = 4});
        Station station(flow);
        Event signalled;
        Numbers handed;
        int64_t given = 0;
        try {
            flow.run<int64_t, int64_t>([&]() -> std::optional<int64_t> { return given++; },  // without an end
                                       [&](int64_t& item) {
                                           if (item == 12) {
                                               std::raise(SIGTERM);
                                               signalled.happen();
                                           }
                                           if (item == 13) {
                                               signalled.wait();
                                               station.visit(item);  // never served, as 14 never comes
                                           }
                                           return item;
                                       },
                                       [&](int64_t& item, int64_t&) { handed.push_back(item); });
        } catch (const Stopped& stopped) {
            const bool in_order = handed == first_numbers(static_cast<int64_t>(handed.size()));
            std::_Exit(stopped.signal() == SIGTERM && in_order && handed.size() >= 12 ? 100 : 1);
        }
        std::_Exit(2);
    };
    EXPECT_EXIT(stop(), ::testing::ExitedWithCode(100), "");
}

}  // namespace
}  // namespace craft
