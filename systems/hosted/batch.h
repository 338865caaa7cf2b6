// The requests of one call, between the thread that called and the one that asks.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "systems/system.h"

namespace craft {

class Batch {
public:
    // Both must outlive wait()'s end, or withdrawal.
    Batch(const std::vector<Request>& requests, const SamplingOptions& sampling);

    // The caller's side: hands replies to `sink` (may be null) as they come, all that are there at once, until every request
    // has one. Throws Stopped or Error where the run ended first, after what had come; and what the sink throws.
    std::vector<Reply> wait(const ReplySink& sink);

    // The asking side.
    const Request& request(size_t i) const { return requests_[i]; }
    const SamplingOptions& sampling() const { return sampling_; }
    size_t size() const { return requests_.size(); }
    void put(size_t i, Reply reply);  // shown to the caller at tell()
    void tell();
    // No more replies will come: a signal, or an error's line.
    void end(int signal, const std::string& error);
    bool is_done() const;  // every request has its reply
    size_t left() const;   // requests without one

private:
    struct Ending {
        int signal = 0;
        std::string error;
    };
    const std::vector<Request>& requests_;
    const SamplingOptions& sampling_;
    mutable std::mutex mutex_;
    std::condition_variable told_;
    std::vector<Reply> replies_;
    std::vector<size_t> fresh_;  // have come and were not handed out
    size_t left_;
    std::optional<Ending> ending_;
};

}  // namespace craft
