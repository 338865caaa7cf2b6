#include "systems/hosted/work_queue.h"

#include <algorithm>

namespace craft {

namespace {

bool is_later(const Job& a, const Job& b) {
    return a.ready_at > b.ready_at;
}

bool is_next_sample(const Request& one, const Request& next) {
    return one.item == next.item && one.sample + 1 == next.sample && one.conversation == next.conversation;
}

}  // namespace

void WorkQueue::add(std::shared_ptr<Batch> batch) {
    if (batch->size() > 0) fresh_.push_back({std::move(batch)});
}

void WorkQueue::put_back(Job job) {
    again_.push_back(std::move(job));
    std::push_heap(again_.begin(), again_.end(), is_later);
}

std::optional<Job> WorkQueue::next(double now) {
    if (!again_.empty() && again_.front().ready_at <= now) {
        std::pop_heap(again_.begin(), again_.end(), is_later);
        Job job = std::move(again_.back());
        again_.pop_back();
        return job;
    }
    if (fresh_.empty()) return std::nullopt;
    Waiting& waiting = fresh_.front();
    Job job;
    job.batch = waiting.batch;
    job.first = waiting.next++;
    while (grouped_ && waiting.next < job.batch->size() &&
           is_next_sample(job.batch->request(waiting.next - 1), job.batch->request(waiting.next))) {
        ++job.samples;
        ++waiting.next;
    }
    if (waiting.next == job.batch->size()) fresh_.pop_front();
    return job;
}

std::optional<double> WorkQueue::next_ready() const {
    return again_.empty() ? std::nullopt : std::optional(again_.front().ready_at);
}

void WorkQueue::remove(const Batch& batch) {
    std::erase_if(fresh_, [&](const Waiting& waiting) { return waiting.batch.get() == &batch; });
    std::erase_if(again_, [&](const Job& job) { return job.batch.get() == &batch; });
    std::make_heap(again_.begin(), again_.end(), is_later);
}

void WorkQueue::clear() {
    fresh_.clear();
    again_.clear();
}

}  // namespace craft
