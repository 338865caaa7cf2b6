// Several rankings of the same things made one: by reciprocal ranks (Cormack et al. 2009).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace craft {

// Sums of 1 / (60 + rank) over the lists (ranks from 1), highest first; equal sums by id. An id counts once a list.
std::vector<std::pair<int64_t, double>> fused_ranks(const std::vector<std::vector<int64_t>>& lists);

}  // namespace craft
