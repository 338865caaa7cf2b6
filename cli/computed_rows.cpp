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
    for (size_t next = static_cast<size_t>(earlier); next < items.count;) {
        throw_if_stopped();
        const auto [begin, end] = items.batch(next);
        std::vector<Json> rows = items.rows(begin, end);
        rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(next - begin));
        if (partial.keeps()) {
            partial.add(rows);
            partial.sync_now_and_then();
        } else {
            for (const Json& row : rows) write(row);
        }
        progress.advance(static_cast<int64_t>(end - next));
        next = end;
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

RowBatch GrowingBatches::operator()(size_t next) {
    constexpr auto kQuick = std::chrono::seconds(20);
    const auto now = std::chrono::steady_clock::now();
    if (begun_ && now - start_ < kQuick) size_ = std::min(2 * size_, largest_);
    begun_ = true;
    start_ = now;
    return {next, std::min(count_, next + size_)};
}

}  // namespace craft
