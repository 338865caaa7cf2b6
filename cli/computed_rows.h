// Rows that a model of ours computes, many at once, kept beside the output until all are there.
#pragma once

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

// Told of an item's row, of each in any order.
using RowSink = std::function<void(size_t item, const Json& row)>;

struct ComputedRows {
    std::string doing, unit;  // of the progress: "scoring", "rows"
    size_t count = 0;
    // The batch that item `next` is computed in; it may begin before, where results depend on what is computed together.
    std::function<RowBatch(size_t next)> batch;
    // Makes the rows of a batch; may leave out those of items that have one.
    std::function<void(size_t begin, size_t end, const RowSink& done)> rows;
};

// Makes the rows that an earlier process did not leave in `partial`, keeps each there as it is done, and calls write(row)
// for all of them, in order, once the last one is made; where nothing can be kept, as soon as those before it are done. Says
// so where it goes on. Throws Stopped between batches, and whatever rows() throws; what was done is kept.
void make_rows(const ComputedRows& items, PartialRows& partial, const std::function<void(const Json&)>& write);

// Batches of items of these sizes, each of at most `batch_tokens` tokens or one item: the same ones wherever a run goes on.
std::function<RowBatch(size_t next)> batches_by_tokens(const std::vector<int64_t>& sizes, int64_t batch_tokens);

// Batches of a few hundred items, for items whose results do not depend on what is computed beside them and which are told
// of one by one.
std::function<RowBatch(size_t next)> batches_of_items(size_t count);

}  // namespace craft
