#include "systems/hosted/batch.h"

#include "core/error.h"

namespace craft {

Batch::Batch(const std::vector<Request>& requests, const SamplingOptions& sampling)
    : requests_(requests), sampling_(sampling), replies_(requests.size()), left_(requests.size()) {}

std::vector<Reply> Batch::wait(const ReplySink& sink) {
    std::unique_lock lock(mutex_);
    while (true) {
        told_.wait(lock, [&] { return !fresh_.empty() || left_ == 0 || ending_; });
        const std::vector<size_t> which = std::exchange(fresh_, {});
        if (sink && !which.empty()) {
            std::vector<Reply> come;
            for (const size_t i : which) come.push_back(replies_[i]);
            lock.unlock();
            sink(which, come);
            lock.lock();
        }
        if (!fresh_.empty()) continue;
        if (left_ == 0) return std::move(replies_);
        if (ending_ && ending_->signal != 0) throw Stopped(ending_->signal);
        if (ending_) throw Error(ending_->error);
    }
}

void Batch::put(size_t i, Reply reply) {
    const std::lock_guard lock(mutex_);
    replies_[i] = std::move(reply);
    fresh_.push_back(i);
    --left_;
}

// Notified under the lock: the caller may destroy the batch's requests as soon as it sees that all is there.
void Batch::tell() {
    const std::lock_guard lock(mutex_);
    told_.notify_all();
}

void Batch::end(int signal, const std::string& error) {
    const std::lock_guard lock(mutex_);
    ending_ = Ending{signal, error};
    told_.notify_all();
}

bool Batch::is_done() const {
    return left() == 0;
}

size_t Batch::left() const {
    const std::lock_guard lock(mutex_);
    return left_;
}

}  // namespace craft
