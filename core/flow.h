// Items side by side: each is worked on in a thread of its own, so that the slowest answer from outside stalls nobody, and
// what computes on models runs on one thread, for all items that wait for it together.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace craft {

struct FlowOptions {
    int64_t items_at_once = 64;  // threads
    int64_t items_ahead = 256;   // an item is begun only this far after the first one that is not handed over: bounds memory
};

class Flow {
public:
    // Throws Error on options below 1.
    explicit Flow(const FlowOptions& options = {});
    ~Flow();
    Flow(const Flow&) = delete;
    Flow& operator=(const Flow&) = delete;

    // `next` gives the items in order; `work` makes an item's result, on a thread of its own; `done` takes item and result
    // in the order of the items, on the calling thread. When `work` throws, or a signal asks to stop, nothing more is begun;
    // the results before it are still handed over, then it throws that (Stopped). With `skips_failed` so are those behind
    // it, which were under way: where each result stands for itself, none is lost. So it does when `next` throws, once all
    // items before it are done. What `done` throws ends it at once.
    template <class In, class Out>
    void run(const std::function<std::optional<In>()>& next, const std::function<Out(In&)>& work,
             const std::function<void(In&, Out&)>& done, bool skips_failed = false) {
        skips_failed_ = skips_failed;
        run_items([&]() -> std::optional<Item> {
            std::optional<In> in = next();
            if (!in) return std::nullopt;
            struct Both {
                In in;
                std::optional<Out> out;
            };
            auto both = std::make_shared<Both>(Both{std::move(*in), std::nullopt});
            return Item{[both, &work] { both->out.emplace(work(both->in)); }, [both, &done] { done(both->in, *both->out); }};
        });
    }

    // Calls serve(jobs) on the thread that called run(), with the jobs of all items that wait at this station, in the items'
    // order, once no item can continue without. Called from outside an item: at once, with this job alone.
    using Serve = std::function<void(const std::vector<void*>&)>;
    void compute(const void* station, const Serve& serve, void* job);

    // While it lives, the calling item waits for something outside (a hosted answer): the others do not wait for it.
    class Waiting {
    public:
        explicit Waiting(Flow& flow);
        ~Waiting();
        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;

    private:
        Flow& flow_;
        bool counts_;
    };

private:
    struct Item {
        std::function<void()> work, done;
    };
    struct Entry {
        Item item;
        bool finished = false;
        std::exception_ptr error = nullptr;
    };
    struct Job;
    void run_items(const std::function<std::optional<Item>()>& next);
    void work_on_items();
    void add_items(std::unique_lock<std::mutex>& lock, const std::function<std::optional<Item>()>& next);
    void hand_over(std::unique_lock<std::mutex>& lock);
    void serve_jobs(std::unique_lock<std::mutex>& lock);
    void end_jobs(const std::exception_ptr& error);
    void end_threads();

    FlowOptions options_;
    std::mutex mutex_;
    std::condition_variable for_items_, for_run_;
    std::vector<std::thread> threads_;
    std::deque<Entry> entries_;             // from the first one that is not handed over
    int64_t first_ = 0, begun_ = 0;         // numbers of items: of the first entry, of the next one to be begun
    int64_t under_way_ = 0, running_ = 0;   // items: begun and not finished; of these, those that wait for nothing
    bool more_ = false, failing_ = false;   // there may be further items; nothing more is begun
    bool ended_ = false;                    // threads are to end
    bool skips_failed_ = false;             // see run()
    std::exception_ptr failed_ = nullptr;   // of the first item that was skipped
    std::exception_ptr no_next_ = nullptr;  // what `next` threw: there are no items after it
    std::vector<Job*> jobs_;                // that wait to be served
};

}  // namespace craft
