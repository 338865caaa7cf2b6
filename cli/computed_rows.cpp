#include "cli/computed_rows.h"

#include <algorithm>

#include "core/log.h"
#include "core/progress.h"
#include "core/signals.h"
#include "model/kernels/packed_batch.h"

namespace craft {

void make_rows(const ComputedRows& items, PartialRows& partial, const std::function<void(const Json&)>& write) {
    const int64_t earlier = partial.earlier();
    if (earlier > 0) log_info("going on where the command stopped", {{"rows", earlier}});
    Progress progress(items.doing, static_cast<int64_t>(items.count), items.unit, earlier);
    const auto done = [&](size_t item, const Json& row) {
        if (partial.has(item)) return;
        partial.add(item, row);
        if (!partial.keeps()) partial.for_each(write);
        progress.advance();
    };
    try {
        for (size_t next = 0; next < items.count;) {
            if (partial.has(next)) {
                ++next;
                continue;
            }
            throw_if_stopped();
            const auto [begin, end] = items.batch(next);
            items.rows(begin, end, done);
            next = end;
        }
    } catch (...) {
        partial.sync();
        throw;
    }
    partial.for_each(write);
    progress.finish();
}

std::function<RowBatch(size_t next)> batches_by_tokens(const std::vector<int64_t>& sizes, int64_t batch_tokens) {
    const int64_t longest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    std::vector<RowBatch> batches;
    for (const auto& [begin, end] : cut_by_tokens(sizes, std::max(batch_tokens, longest))) batches.emplace_back(begin, end);
    return [batches](size_t next) {
        return *std::upper_bound(batches.begin(), batches.end(), next,
                                 [](size_t item, const RowBatch& batch) { return item < batch.second; });
    };
}

std::function<RowBatch(size_t next)> batches_of_items(size_t count) {
    constexpr size_t kMost = 256;
    return [count](size_t next) { return RowBatch(next, std::min(count, next + kMost)); };
}

}  // namespace craft
