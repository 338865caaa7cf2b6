#include "gec/rules/joined_gains.h"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>

namespace craft {

namespace {

using Gains = std::vector<std::vector<double>>;

class WaitingQuestions {
public:
    explicit WaitingQuestions(ReplacementGains gains) : gains_(std::move(gains)) {}

    Gains ask(const std::vector<ReplacementQuestion>& questions) {
        Waiting own{questions};
        std::unique_lock<std::mutex> lock(mutex_);
        waiting_.push_back(&own);
        while (!own.is_done) {
            if (is_busy_)
                answered_.wait(lock);
            else
                answer(lock);
        }
        if (own.failure) std::rethrow_exception(own.failure);
        return std::move(own.gains);
    }

private:
    struct Waiting {
        const std::vector<ReplacementQuestion>& questions;
        Gains gains = {};
        std::exception_ptr failure = nullptr;
        bool is_done = false;
    };

    void answer(std::unique_lock<std::mutex>& lock) {
        is_busy_ = true;
        std::vector<Waiting*> asked;
        asked.swap(waiting_);
        lock.unlock();
        std::exception_ptr failure;
        Gains all;
        try {
            std::vector<ReplacementQuestion> questions;
            for (const Waiting* one : asked) questions.insert(questions.end(), one->questions.begin(), one->questions.end());
            all = gains_(questions);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        size_t next = 0;
        for (Waiting* one : asked) {
            one->failure = failure;
            for (size_t i = 0; !failure && i < one->questions.size(); ++i) one->gains.push_back(std::move(all[next++]));
            one->is_done = true;
        }
        is_busy_ = false;
        answered_.notify_all();
    }

    ReplacementGains gains_;
    std::mutex mutex_;
    std::condition_variable answered_;
    std::vector<Waiting*> waiting_;
    bool is_busy_ = false;
};

}  // namespace

ReplacementGains joined_gains(ReplacementGains gains) {
    return [waiting = std::make_shared<WaitingQuestions>(std::move(gains))](
               const std::vector<ReplacementQuestion>& questions) { return waiting->ask(questions); };
}

}  // namespace craft
