// Hard limits on what is asked for in a minute. Time is given by the caller, in seconds.
#pragma once

#include <cstdint>
#include <optional>

namespace craft {

// A bucket that fills evenly. In no 60 seconds is more taken from it than `per_minute`: what it may hold at once is taken
// off what flows into it.
class TokenBucket {
public:
    // `burst` is what may be taken at once, at most per_minute.
    TokenBucket(double per_minute, double burst);
    // When `amount` may be taken: `now`, or later. An amount beyond the burst waits for a full bucket and leaves a debt.
    double ready_at(double amount, double now) const;
    void take(double amount, double now);
    void give_back(double amount, double now);  // what was taken and not used

private:
    double level_at(double now) const;
    double capacity_, rate_;  // rate: a second
    double level_, filled_at_ = 0;
};

// Requests and tokens a minute, each absent where it has no limit.
class RateLimits {
public:
    RateLimits(std::optional<int64_t> requests_per_minute, std::optional<int64_t> tokens_per_minute);
    // `tokens`: what the request may take at most, as far as it is known beforehand.
    double ready_at(double tokens, double now) const;
    void take(double tokens, double now);
    void give_back_tokens(double tokens, double now);

private:
    std::optional<TokenBucket> requests_, tokens_;
};

}  // namespace craft
