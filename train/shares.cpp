#include "train/shares.h"

#include <algorithm>
#include <numeric>

namespace craft {

std::vector<std::vector<size_t>> split_by_tokens(const std::vector<int64_t>& sizes, int ranks) {
    std::vector<size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return sizes[a] > sizes[b]; });
    std::vector<std::vector<size_t>> shares(static_cast<size_t>(ranks));
    std::vector<int64_t> tokens(shares.size());
    for (const size_t place : order) {
        const auto rank = static_cast<size_t>(std::min_element(tokens.begin(), tokens.end()) - tokens.begin());
        shares[rank].push_back(place);
        tokens[rank] += sizes[place];
    }
    for (auto& share : shares) std::sort(share.begin(), share.end());
    return shares;
}

}  // namespace craft
