#include "metrics/exact_sum.h"

#include <cmath>
#include <utility>

namespace craft {

void ExactSum::add(double value) {
    ++count_;
    size_t kept = 0;
    for (double part : parts_) {
        if (std::fabs(value) < std::fabs(part)) std::swap(value, part);
        const double high = value + part;
        const double low = part - (high - value);
        if (low != 0) parts_[kept++] = low;
        value = high;
    }
    parts_.resize(kept);
    parts_.push_back(value);
}

double ExactSum::sum() const {
    if (parts_.empty()) return 0;
    size_t at = parts_.size() - 1;
    double high = parts_[at];
    double low = 0;
    while (at > 0) {
        const double before = high;
        const double part = parts_[--at];
        high = before + part;
        low = part - (high - before);
        if (low != 0) break;
    }
    // What is left lies below half a unit in the last place, or is a tie that the next part decides.
    if (at > 0 && ((low < 0 && parts_[at - 1] < 0) || (low > 0 && parts_[at - 1] > 0))) {
        const double twice = low * 2;
        const double rounded = high + twice;
        if (twice == rounded - high) high = rounded;
    }
    return high;
}

std::optional<double> ExactSum::mean() const {
    if (count_ == 0) return std::nullopt;
    return sum() / static_cast<double>(count_);
}

}  // namespace craft
