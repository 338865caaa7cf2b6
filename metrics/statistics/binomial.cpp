#include "metrics/statistics/binomial.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace craft {

double binomial_half_tail(int64_t n, int64_t k) {
    if (n < 0) throw std::logic_error("binomial_half_tail: fewer than no trials");
    if (k <= 0) return 1;
    double sum = 0;
    // From the smallest term on, so that small ones are not lost in the sum of large ones.
    for (int64_t i = n; i >= k; --i) {
        const auto trials = static_cast<double>(n), hits = static_cast<double>(i);
        sum += std::exp(std::lgamma(trials + 1) - std::lgamma(hits + 1) - std::lgamma(trials - hits + 1) -
                        trials * std::numbers::ln2);
    }
    return std::min(sum, 1.0);
}

}  // namespace craft
