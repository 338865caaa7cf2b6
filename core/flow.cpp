#include "core/flow.h"

#include <algorithm>
#include <chrono>

#include "core/error.h"
#include "core/signals.h"

namespace craft {

namespace {

// Which flow's item the present thread works on, its number, and how many Waiting of it live.
thread_local Flow* item_flow = nullptr;
thread_local int64_t item_number = -1;
thread_local int64_t item_waits = 0;

}  // namespace

struct Flow::Job {
    const void* station;
    const Serve* serve;
    void* job;
    int64_t item;
    bool runs;  // the item counts as running but for this job
    bool served = false;
    std::exception_ptr error = nullptr;
    std::condition_variable ready = {};
};

Flow::Flow(const FlowOptions& options) : options_(options) {
    // With none the run would wait for ever.
    if (options.items_at_once < 1) throw Error("flow: items at once", "at least 1", std::to_string(options.items_at_once));
    if (options.items_ahead < 1) throw Error("flow: items ahead", "at least 1", std::to_string(options.items_ahead));
}

Flow::~Flow() {
    end_threads();
}

void Flow::run_items(const std::function<std::optional<Item>()>& next) {
    std::unique_lock lock(mutex_);
    entries_.clear();
    first_ = begun_ = under_way_ = running_ = 0;
    more_ = true;
    failing_ = ended_ = false;
    failed_ = nullptr;
    try {
        for (;;) {
            hand_over(lock);
            if (stop_signal() != 0) {
                failing_ = true;
                end_jobs(std::make_exception_ptr(Stopped(stop_signal())));
            }
            if (!failing_) add_items(lock, next);
            if (entries_.empty() && !more_) {
                if (failed_) std::rethrow_exception(failed_);
                if (no_next_) std::rethrow_exception(no_next_);
                break;
            }
            if (failing_ && under_way_ == 0) {
                hand_over(lock);
                if (failed_) std::rethrow_exception(failed_);
                throw_if_stopped();
            }
            const bool can_begin =
                !failing_ && begun_ < first_ + static_cast<int64_t>(entries_.size()) && under_way_ < options_.items_at_once;
            if (running_ == 0 && !can_begin && !jobs_.empty())
                serve_jobs(lock);
            else if (!entries_.empty() && entries_.front().finished)
                continue;  // it came while `next` ran, when nobody listened
            else
                // A signal only sets a flag: the wait ends now and then to look at it.
                for_run_.wait_for(lock, std::chrono::milliseconds(50));
        }
    } catch (...) {
        if (!lock.owns_lock()) lock.lock();
        failing_ = true;
        end_jobs(std::current_exception());
        lock.unlock();
        end_threads();
        entries_.clear();  // what refers to the caller's things ends with the call
        throw;
    }
    lock.unlock();
    end_threads();
}

// Results in the order of the items, up to the first that is not there; throws an item's error, or keeps the first one.
void Flow::hand_over(std::unique_lock<std::mutex>& lock) {
    while (!entries_.empty() && entries_.front().finished) {
        const Entry entry = std::move(entries_.front());
        entries_.pop_front();
        ++first_;
        if (entry.error && !skips_failed_) std::rethrow_exception(entry.error);
        if (entry.error) {
            if (!failed_) failed_ = entry.error;
            continue;
        }
        lock.unlock();
        entry.item.done();
        lock.lock();
    }
}

void Flow::add_items(std::unique_lock<std::mutex>& lock, const std::function<std::optional<Item>()>& next) {
    while (more_ && !failing_ && static_cast<int64_t>(entries_.size()) < options_.items_ahead) {
        lock.unlock();
        std::optional<Item> item;
        std::exception_ptr error;
        try {
            item = next();
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        no_next_ = error;
        more_ = item.has_value();
        if (!more_) break;
        entries_.push_back({std::move(*item)});
        const auto threads = static_cast<int64_t>(threads_.size());
        const int64_t to_begin = first_ + static_cast<int64_t>(entries_.size()) - begun_;
        if (threads < options_.items_at_once && under_way_ + to_begin > threads)
            threads_.emplace_back([this] { work_on_items(); });
        for_items_.notify_one();
    }
}

void Flow::work_on_items() {
    item_flow = this;
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto can_begin = [&] { return !failing_ && begun_ < first_ + static_cast<int64_t>(entries_.size()); };
        for_items_.wait(lock, [&] { return ended_ || can_begin(); });
        if (!can_begin()) return;
        const int64_t number = begun_++;
        ++under_way_;
        ++running_;
        // References into a deque stay valid while its ends change.
        Entry& entry = entries_[static_cast<size_t>(number - first_)];
        lock.unlock();
        item_number = number;
        std::exception_ptr error;
        try {
            entry.item.work();
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        entry.error = error;
        entry.finished = true;
        if (error) failing_ = true;
        --under_way_;
        --running_;
        for_run_.notify_one();
    }
}

void Flow::serve_jobs(std::unique_lock<std::mutex>& lock) {
    const auto by_item = [](const Job* a, const Job* b) { return a->item < b->item; };
    std::sort(jobs_.begin(), jobs_.end(), by_item);
    const void* const station = jobs_.front()->station;
    const auto others =
        std::stable_partition(jobs_.begin(), jobs_.end(), [&](const Job* j) { return j->station == station; });
    const std::vector<Job*> served(jobs_.begin(), others);
    jobs_.erase(jobs_.begin(), others);
    std::vector<void*> jobs;
    for (const Job* job : served) jobs.push_back(job->job);
    std::exception_ptr error;
    lock.unlock();
    try {
        (*served.front()->serve)(jobs);
    } catch (...) {
        error = std::current_exception();
    }
    lock.lock();
    for (Job* job : served) {
        job->error = error;
        job->served = true;
        running_ += job->runs ? 1 : 0;
        job->ready.notify_one();
    }
}

void Flow::compute(const void* station, const Serve& serve, void* job) {
    if (item_flow != this) return serve({job});
    Job mine{station, &serve, job, item_number, item_waits == 0};
    std::unique_lock lock(mutex_);
    if (ended_) throw Error("flow", "an item that ends before its flow", "one that is still running");
    jobs_.push_back(&mine);
    running_ -= mine.runs ? 1 : 0;
    for_run_.notify_one();
    mine.ready.wait(lock, [&] { return mine.served; });
    lock.unlock();
    if (mine.error) std::rethrow_exception(mine.error);
}

void Flow::end_jobs(const std::exception_ptr& error) {
    for (Job* job : jobs_) {
        job->error = error;
        job->served = true;
        running_ += job->runs ? 1 : 0;
        job->ready.notify_one();
    }
    jobs_.clear();
}

void Flow::end_threads() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = failing_ = true;
        end_jobs(std::make_exception_ptr(Error("flow", "an item that ends before its flow", "one that is still running")));
    }
    for_items_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

Flow::Waiting::Waiting(Flow& flow) : flow_(flow), counts_(item_flow == &flow) {
    if (!counts_ || item_waits++ > 0) return;
    const std::lock_guard lock(flow_.mutex_);
    --flow_.running_;
    flow_.for_run_.notify_one();
}

Flow::Waiting::~Waiting() {
    if (!counts_ || --item_waits > 0) return;
    const std::lock_guard lock(flow_.mutex_);
    ++flow_.running_;
}

}  // namespace craft
