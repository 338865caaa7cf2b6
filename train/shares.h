// Which of a step's examples each rank computes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace craft {

// Places in `sizes` (tokens of each example) by rank, ascending. Large ones go first, each to the rank with the fewest
// tokens so far: shares differ by one example's tokens at most. Nothing but the sizes decides, so that every rank finds the
// same; with fewer examples than ranks, some are empty.
std::vector<std::vector<size_t>> split_by_tokens(const std::vector<int64_t>& sizes, int ranks);

}  // namespace craft
