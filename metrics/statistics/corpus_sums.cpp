#include "metrics/statistics/corpus_sums.h"

#include <stdexcept>
#include <utility>

namespace craft {

CountSums::CountSums(const std::vector<std::vector<int64_t>>& items, Figure figure)
    : items_(items.size()), width_(items.empty() ? 0 : items[0].size()), figure_(std::move(figure)) {
    counts_.reserve(items_ * width_);
    for (const std::vector<int64_t>& item : items) {
        if (item.size() != width_) throw std::logic_error("CountSums: every item has as many counts");
        counts_.insert(counts_.end(), item.begin(), item.end());
    }
}

void CountSums::add(std::span<const uint32_t> times, std::span<double> sums) const {
    const double* counts = counts_.data();
    for (size_t item = 0; item < items_; ++item, counts += width_) {
        if (times[item] == 0) continue;
        const double factor = times[item];
        for (size_t i = 0; i < width_; ++i) sums[i] += factor * counts[i];
    }
}

}  // namespace craft
