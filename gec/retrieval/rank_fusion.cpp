#include "gec/retrieval/rank_fusion.h"

#include <algorithm>
#include <map>
#include <set>

namespace craft {

std::vector<std::pair<int64_t, double>> fused_ranks(const std::vector<std::vector<int64_t>>& lists) {
    constexpr double kOffset = 60;
    std::map<int64_t, double> sums;
    for (const std::vector<int64_t>& list : lists) {
        std::set<int64_t> met;
        for (const int64_t id : list)
            if (met.insert(id).second) sums[id] += 1 / (kOffset + static_cast<double>(met.size()));
    }
    std::vector<std::pair<int64_t, double>> fused(sums.begin(), sums.end());
    std::stable_sort(fused.begin(), fused.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return fused;
}

}  // namespace craft
