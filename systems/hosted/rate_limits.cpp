#include "systems/hosted/rate_limits.h"

#include <algorithm>

namespace craft {

namespace {

constexpr double kMinute = 60;

// A hundredth at once, so that an event loop that wakes a little late loses nothing; whole requests, at least one.
std::optional<TokenBucket> request_bucket(std::optional<int64_t> limit) {
    if (!limit) return std::nullopt;
    const auto burst = static_cast<double>(std::max<int64_t>(1, *limit / 100));
    // Within any 60 seconds fewer than burst + (limit - burst + 1) whole requests begin: at most `limit`.
    return TokenBucket(static_cast<double>(*limit) + 1, burst);
}

std::optional<TokenBucket> token_bucket(std::optional<int64_t> limit) {
    if (!limit) return std::nullopt;
    const auto most = static_cast<double>(*limit);
    return TokenBucket(most, most / 10);
}

}  // namespace

TokenBucket::TokenBucket(double per_minute, double burst)
    : capacity_(burst), rate_((per_minute - burst) / kMinute), level_(burst) {}

double TokenBucket::level_at(double now) const {
    return std::min(capacity_, level_ + std::max(0.0, now - filled_at_) * rate_);
}

double TokenBucket::ready_at(double amount, double now) const {
    const double missing = std::min(amount, capacity_) - level_at(now);
    // A rounding error must not make a caller wait for a time that never comes.
    return missing <= 1e-9 * capacity_ ? now : now + missing / rate_;
}

void TokenBucket::take(double amount, double now) {
    level_ = level_at(now) - amount;
    filled_at_ = now;
}

void TokenBucket::give_back(double amount, double now) {
    take(-amount, now);
    level_ = std::min(level_, capacity_);
}

RateLimits::RateLimits(std::optional<int64_t> requests_per_minute, std::optional<int64_t> tokens_per_minute)
    : requests_(request_bucket(requests_per_minute)), tokens_(token_bucket(tokens_per_minute)) {}

double RateLimits::ready_at(double tokens, double now) const {
    const double by_requests = requests_ ? requests_->ready_at(1, now) : now;
    return std::max(by_requests, tokens_ ? tokens_->ready_at(tokens, now) : now);
}

void RateLimits::take(double tokens, double now) {
    if (requests_) requests_->take(1, now);
    if (tokens_) tokens_->take(tokens, now);
}

void RateLimits::give_back_tokens(double tokens, double now) {
    if (tokens_) tokens_->give_back(tokens, now);
}

}  // namespace craft
