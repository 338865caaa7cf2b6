// How far raters agree who put the same items on a scale.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace craft {

// Cohen's kappa with quadratic weights (Cohen 1968) of two raters: 1 - the mean squared difference of their marks over that
// of any mark of the one with any of the other. Absent: there is no item, or all marks are the same, so that nobody could
// disagree. Throws std::logic_error on lists of different lengths.
std::optional<double> quadratic_kappa(const std::vector<int64_t>& a, const std::vector<int64_t>& b);

// Krippendorff's alpha (Krippendorff 2011) for marks whose order alone counts: items with the marks that they got, in any
// order; those with fewer than two are left out. The distance of two marks is the number of marks from the one to the other,
// each end by half, squared. Absent: no item has two marks, or all marks are the same.
std::optional<double> ordinal_alpha(const std::vector<std::vector<int64_t>>& items);

}  // namespace craft
