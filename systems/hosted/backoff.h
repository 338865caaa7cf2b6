// How long to wait before an item is asked for again.
#pragma once

#include <cstdint>

namespace craft {

struct BackoffOptions {
    double first = 0.5;   // seconds before the first repetition
    double longest = 60;  // seconds at most
    uint64_t seed = 1;    // keys the jitter together with item, sample and attempt
};

// Doubles with each attempt (1: the first repetition), and is drawn from the upper half of that, so that items which failed
// together do not come back together. The same key has the same wait.
double backoff_seconds(const BackoffOptions& options, uint64_t item, uint64_t sample, int64_t attempt);

}  // namespace craft
