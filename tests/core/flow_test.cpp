// Items side by side: the order of results, bounds, exact batches, waits, and every way for a run to end early.
#include "core/flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <latch>
#include <numeric>
#include <set>
#include <stdexcept>

#include "core/error.h"
#include "core/rng.h"
#include "core/signals.h"

namespace craft {

namespace {

using ::testing::ElementsAre;
using Numbers = std::vector<int64_t>;

Numbers first_numbers(int64_t count) {
    Numbers numbers(static_cast<size_t>(count));
    std::iota(numbers.begin(), numbers.end(), int64_t{0});
    return numbers;
}

std::function<std::optional<int64_t>()> numbers_up_to(int64_t count) {
    return [count, at = int64_t{0}]() mutable { return at < count ? std::optional(at++) : std::nullopt; };
}

// Runs items 0, 1, ... and returns the results that were handed over, also where the run throws (`error` is what it said).
struct Ran {
    Numbers results;
    std::string error;
};

Ran run_numbers(Flow& flow, int64_t count, const std::function<int64_t(int64_t&)>& work) {
    Ran ran;
    try {
        flow.run<int64_t, int64_t>(numbers_up_to(count), work,
                                   [&](int64_t&, int64_t& result) { ran.results.push_back(result); });
    } catch (const std::exception& error) {
        ran.error = error.what();
    }
    return ran;
}

// Something that one item waits for and another one does. Whoever waits in vain goes on after a while, so that a test fails
// in place of hanging.
class Event {
public:
    void happen() {
        const std::lock_guard lock(mutex_);
        happened_ = true;
        told_.notify_all();
    }
    bool wait() {
        std::unique_lock lock(mutex_);
        return told_.wait_for(lock, std::chrono::seconds(20), [&] { return happened_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable told_;
    bool happened_ = false;
};

// A station that notes which items it served together, and on which thread.
class Station {
public:
    explicit Station(Flow& flow) : flow_(flow) {}
    void visit(int64_t item) { flow_.compute(this, serve_, &item); }
    std::vector<Numbers> batches;
    std::set<std::thread::id> threads;
    std::function<void()> on_serve = [] {};

private:
    Flow& flow_;
    Flow::Serve serve_ = [this](const std::vector<void*>& jobs) {
        threads.insert(std::this_thread::get_id());
        batches.emplace_back();
        for (void* job : jobs) batches.back().push_back(*static_cast<int64_t*>(job));
        on_serve();
    };
};

}  // namespace

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
    std::atomic<int64_t> at_once = 0, most_at_once = 0;
    int64_t given = 0, handed = 0, most_ahead = 0;
    Station station(flow);
    flow.run<int64_t, int64_t>(
        [&]() -> std::optional<int64_t> {
            if (given == 40) return std::nullopt;
            most_ahead = std::max(most_ahead, given + 1 - handed);
            return given++;
        },
        [&](int64_t& item) {
            const int64_t now = ++at_once;
            for (int64_t most = most_at_once; now > most && !most_at_once.compare_exchange_weak(most, now);) {}
            station.visit(item);
            --at_once;
            return item;
        },
        [&](int64_t&, int64_t&) { ++handed; });
    EXPECT_EQ(handed, 40);
    EXPECT_EQ(most_at_once, 3);
    EXPECT_EQ(most_ahead, 5);
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

TEST(Flow, AnItemThatThrowsEndsTheRunBehindThoseBeforeIt) {
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

TEST(Flow, NothingIsBegunBehindAnItemThatThrew) {
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

TEST(Flow, OfSeveralErrorsTheFirstItemsIsThrown) {
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

TEST(Flow, WhatNextThrowsComesBehindTheItemsBeforeIt) {
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

TEST(Flow, WhatDoneThrowsEndsTheRun) {
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

TEST(Flow, WhatAStationThrowsEveryItemOfTheBatchGets) {
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

TEST(Flow, RunsAgainAfterEveryKindOfEnd) {
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

}  // namespace craft
