// The sign test's distribution.
#pragma once

#include <cstdint>

namespace craft {

// P(Binomial(n, 1/2) >= k): 1 where k <= 0, 0 where k > n. Throws std::logic_error if n is negative.
double binomial_half_tail(int64_t n, int64_t k);

}  // namespace craft
