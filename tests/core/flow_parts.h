// What the tests of Flow run: numbers, things to wait for, a station that notes whom it served.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/flow.h"

namespace craft::test {

using Numbers = std::vector<int64_t>;

inline Numbers first_numbers(int64_t count) {
    Numbers numbers(static_cast<size_t>(count));
    std::iota(numbers.begin(), numbers.end(), int64_t{0});
    return numbers;
}

inline std::function<std::optional<int64_t>()> numbers_up_to(int64_t count) {
    return [count, at = int64_t{0}]() mutable { return at < count ? std::optional(at++) : std::nullopt; };
}

// Runs items 0, 1, ... and returns the results that were handed over, also where the run throws (`error` is what it said).
struct Ran {
    Numbers results;
    std::string error;
};

inline Ran run_numbers(Flow& flow, int64_t count, const std::function<int64_t(int64_t&)>& work, bool skips_failed = false) {
    Ran ran;
    try {
        flow.run<int64_t, int64_t>(
            numbers_up_to(count), work, [&](int64_t&, int64_t& result) { ran.results.push_back(result); }, skips_failed);
    } catch (const std::exception& error) {
        ran.error = error.what();
    }
    return ran;
}

// Something that one item waits for and another one does. Whoever waits in vain continues after a while, so that a test
// fails in place of hanging.
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

}  // namespace craft::test
