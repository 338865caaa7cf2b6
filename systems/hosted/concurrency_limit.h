// How many requests an endpoint is asked at once: as many as it bears. Time is given by the caller, in seconds.
#pragma once

#include <cstdint>

namespace craft {

struct ConcurrencyOptions {
    int64_t fixed = 0;        // always this many; 0: adapted
    int64_t first = 8;        // of an adapted limit: where it begins
    int64_t max_limit = 256;  // and where it ends
    double cut = 0.75;        // what the first refusal of a burst multiplies it with
};

// Begins small and grows by one a success, so that it doubles with each round of answers (slow start), until the first
// refusal. Each burst of refusals multiplies it with `cut`, and each run of as many successes as it is large adds one. A
// burst is what was under way when the limit was cut: those answers say nothing of the new one.
class ConcurrencyLimit {
public:
    explicit ConcurrencyLimit(const ConcurrencyOptions& options);

    bool has_room(double now) const { return now >= blocked_until_ && in_flight_ < limit(); }
    // The ticket of a request that begins; every ticket is given to one of the three below, once.
    uint64_t begin();
    void succeeded(uint64_t ticket);
    void refused(uint64_t ticket);  // HTTP 429, or a 503 that says how long to wait
    void ended(uint64_t ticket);    // any other end, which says nothing of the limit
    // No request before this time: a server's Retry-After.
    void block_until(double time);
    double blocked_until() const { return blocked_until_; }

    int64_t limit() const { return limit_; }
    int64_t in_flight() const { return in_flight_; }
    int64_t highest() const { return highest_; }  // the highest limit that was reached

private:
    ConcurrencyOptions options_;
    int64_t limit_ = 1, highest_ = 1, in_flight_ = 0;
    int64_t run_ = 0;  // successes since the limit changed
    bool slow_start_ = true;
    uint64_t next_ticket_ = 1, burst_end_ = 0;  // tickets below burst_end_ began before the last cut
    double blocked_until_ = 0;
};

}  // namespace craft
