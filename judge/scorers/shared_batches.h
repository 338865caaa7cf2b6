// Numbers that a model computes of items, batch by batch, whoever of several ranks computes them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/ranks.h"

namespace craft {

struct SharedBatches {
    std::string doing, unit;     // what a progress says of items, "scoring", "texts"; empty: there is none
    std::vector<int64_t> sizes;  // of each item, in tokens
    int64_t batch_tokens = 0;    // of one batch; those of the largest item if it has more
    size_t width = 1;            // numbers of each item
    Ranks& ranks = Ranks::alone();
};

// Computes the numbers of items [begin, end), one item's behind the other's.
using BatchNumbers = std::function<std::vector<double>(size_t begin, size_t end)>;

// The numbers of all items, in their order, in every rank. Batches are the same for any number of ranks, and so is every
// bit. Throws Stopped between batches, Error where a batch has another number of numbers, and what the ranks and `numbers`
// throw.
std::vector<double> in_shared_batches(const SharedBatches& items, const BatchNumbers& numbers);

}  // namespace craft
