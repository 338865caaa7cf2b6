// Rows that a model of ours computes, many at once, kept beside the output until all are there.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/partial_rows.h"
#include "core/json.h"

namespace craft {

// Runs [begin, end) of items that are computed together.
using RowBatch = std::pair<size_t, size_t>;

struct ComputedRows {
    std::string doing, unit;  // of the progress: "scoring", "rows"
    size_t count = 0;
    // The batch that item `next` is computed in; it may begin before, where results depend on what is computed together.
    std::function<RowBatch(size_t next)> batch;
    std::function<std::vector<Json>(size_t begin, size_t end)> rows;  // one an item
};

// Makes the rows behind those that an earlier process left in `partial`, keeps them there, and calls write(row) for all of
// them once the last one is made; where nothing can be kept, write() is called for each as it is made. Says so where it goes
// on. Throws Stopped between batches.
void make_rows(const ComputedRows& items, PartialRows& partial, const std::function<void(const Json&)>& write);

// Batches of items of these sizes, each of at most `batch_tokens` tokens or one item: the same ones wherever a run goes on.
std::function<RowBatch(size_t next)> batches_by_tokens(const std::vector<int64_t>& sizes, int64_t batch_tokens);

// Batches that grow while they are quick, since a stop costs the one under way. For items whose results do not depend on
// what is computed beside them.
class GrowingBatches {
public:
    GrowingBatches(size_t count, size_t smallest, size_t largest) : count_(count), size_(smallest), largest_(largest) {}
    RowBatch operator()(size_t next);

private:
    size_t count_, size_, largest_;
    bool begun_ = false;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace craft
