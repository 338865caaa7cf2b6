#include "judge/verdicts/extremes.h"

#include <algorithm>

namespace craft {

std::optional<ListwiseVerdict> extremes(const std::map<size_t, double>& values) {
    if (values.size() < 2) return std::nullopt;
    const auto [low, high] =
        std::minmax_element(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto times = [&](double value) {
        return std::count_if(values.begin(), values.end(), [&](const auto& one) { return one.second == value; });
    };
    if (times(low->second) > 1 || times(high->second) > 1) return std::nullopt;
    return ListwiseVerdict{high->first, low->first};
}

}  // namespace craft
