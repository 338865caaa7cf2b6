#include "systems/hosted/backoff.h"

#include <algorithm>
#include <cmath>

#include "core/rng.h"

namespace craft {

double backoff_seconds(const BackoffOptions& options, uint64_t item, uint64_t sample, int64_t attempt) {
    const double doublings = static_cast<double>(std::clamp<int64_t>(attempt - 1, 0, 60));
    const double most = std::min(options.longest, options.first * std::exp2(doublings));
    // One stream for an item and sample; the attempt says how far along it.
    Rng rng(options.seed, "hosted.backoff", item, sample * 1024 + static_cast<uint64_t>(attempt));
    return most * (0.5 + 0.5 * rng.uniform());
}

}  // namespace craft
