#include "systems/hosted/concurrency_limit.h"

#include <algorithm>

namespace craft {

ConcurrencyLimit::ConcurrencyLimit(const ConcurrencyOptions& options)
    : options_(options),
      limit_(options.fixed > 0 ? options.fixed : std::min(options.first, options.max_limit)),
      highest_(limit_) {}

uint64_t ConcurrencyLimit::begin() {
    ++in_flight_;
    return next_ticket_++;
}

void ConcurrencyLimit::succeeded(uint64_t ticket) {
    const bool was_full = in_flight_ >= limit_;
    --in_flight_;
    // What began before a cut was not asked under the present limit; and a limit that is not used up is not proven.
    if (options_.fixed > 0 || ticket < burst_end_ || !was_full) return;
    if (!slow_start_ && ++run_ < limit_) return;
    run_ = 0;
    limit_ = std::min(limit_ + 1, options_.max_limit);
    highest_ = std::max(highest_, limit_);
}

void ConcurrencyLimit::refused(uint64_t ticket) {
    --in_flight_;
    if (options_.fixed > 0 || ticket < burst_end_) return;
    slow_start_ = false;
    run_ = 0;
    limit_ = std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(limit_) * options_.cut));
    burst_end_ = next_ticket_;
}

void ConcurrencyLimit::ended(uint64_t) {
    --in_flight_;
}

void ConcurrencyLimit::block_until(double time) {
    blocked_until_ = std::max(blocked_until_, time);
}

}  // namespace craft
