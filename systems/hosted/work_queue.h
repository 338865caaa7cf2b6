// What waits to be asked for. A batch stands in it with a cursor, so that thousands of requests cost nothing until their
// turn.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "systems/hosted/batch.h"

namespace craft {

// One request to a server: of one sample, or of several samples of an item.
struct Job {
    std::shared_ptr<Batch> batch;
    size_t first = 0;  // in the batch; its samples lie side by side
    int64_t samples = 1;
    int64_t attempts = 0;  // that failed and count against the profile's retries
    int64_t sent = 0;      // requests so far
    double started = 0;    // steady_seconds() of the first of them
    Usage paid = {};       // tokens and USD of answers that could not be used
    double ready_at = 0;   // not to be sent before
};

class WorkQueue {
public:
    // `grouped`: the samples of an item become one job.
    explicit WorkQueue(bool grouped) : grouped_(grouped) {}
    void set_grouped(bool grouped) { grouped_ = grouped; }
    bool is_grouped() const { return grouped_; }

    void add(std::shared_ptr<Batch> batch);
    void put_back(Job job);  // for its ready_at
    // What was put back goes before what is new, as soon as it is ready.
    std::optional<Job> next(double now);
    std::optional<double> next_ready() const;  // of what was put back
    void remove(const Batch& batch);
    void clear();

private:
    struct Waiting {
        std::shared_ptr<Batch> batch;
        size_t next = 0;
    };
    bool grouped_;
    std::deque<Waiting> fresh_;
    std::vector<Job> again_;  // a heap, the first that is ready on top
};

}  // namespace craft
