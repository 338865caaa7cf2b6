#include "systems/recorded/group_commit.h"

#include <utility>

namespace craft {

std::exception_ptr GroupCommit::commit(const std::vector<Job*>& jobs) {
    try {
        transaction_.begin();
    } catch (...) {
        return std::current_exception();
    }
    try {
        for (const Job* job : jobs) (*job->work)();
        transaction_.commit();
    } catch (...) {
        transaction_.rollback();
        return std::current_exception();
    }
    return nullptr;
}

void GroupCommit::run(const std::function<void()>& work) {
    Job own{&work, {}, nullptr};
    std::unique_lock<std::mutex> lock(mutex_);
    waiting_.push_back(&own);
    own.turn.wait(lock, [&] { return own.done || !committing_; });
    if (!own.done) {
        committing_ = true;
        const std::vector<Job*> jobs = std::exchange(waiting_, {});
        lock.unlock();
        const std::exception_ptr failure = commit(jobs);
        lock.lock();
        committing_ = false;
        for (Job* job : jobs) {
            job->failure = failure;
            job->done = true;
            if (job != &own) job->turn.notify_one();
        }
        // One of those that came meanwhile commits them all; to wake each of them would cost more than the transaction.
        if (!waiting_.empty()) waiting_.front()->turn.notify_one();
    }
    if (own.failure) std::rethrow_exception(own.failure);
}

}  // namespace craft
