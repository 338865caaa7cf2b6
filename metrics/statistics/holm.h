// Several comparisons at once.
#pragma once

#include <vector>

namespace craft {

// Holm's step-down adjustment (Holm 1979): the smallest of m values times m, the next one times m - 1 and so on, none below
// the one before it, none above 1. In the order of `p`. An adjusted value below alpha is significant at a family-wise rate
// of alpha.
std::vector<double> holm_adjusted(const std::vector<double>& p);

}  // namespace craft
