#include "metrics/statistics/holm.h"

#include <algorithm>
#include <numeric>

namespace craft {

std::vector<double> holm_adjusted(const std::vector<double>& p) {
    std::vector<size_t> order(p.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return p[x] < p[y]; });
    std::vector<double> adjusted(p.size());
    double before = 0;
    for (size_t rank = 0; rank < order.size(); ++rank) {
        const double value = std::min(1.0, p[order[rank]] * static_cast<double>(p.size() - rank));
        adjusted[order[rank]] = before = std::max(before, value);
    }
    return adjusted;
}

}  // namespace craft
