#include "model/steps/key_value_cache.h"

#include <torch/types.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/kernels/composed_attention.h"
#include "model/kernels/sequence_attention.h"

namespace craft {

namespace {

// [rows, longest row] int64 on the CPU, shorter rows filled up with zeros; pinned if they go to a GPU: LibTorch keeps pinned
// memory from other use until it has been read.
at::Tensor to_upload(const std::vector<std::vector<int64_t>>& rows, const at::Device& device) {
    size_t width = 0;
    for (const std::vector<int64_t>& row : rows) width = std::max(width, row.size());
    const at::Tensor numbers = at::zeros({static_cast<int64_t>(rows.size()), static_cast<int64_t>(width)},
                                         at::TensorOptions().dtype(at::kLong).pinned_memory(device.is_cuda()));
    for (size_t i = 0; i < rows.size(); ++i)
        std::copy(rows[i].begin(), rows[i].end(), numbers.mutable_data_ptr<int64_t>() + i * width);
    return numbers;
}

}  // namespace

KeyRanges key_ranges(const std::vector<int64_t>& rows, const std::vector<int64_t>& row_positions, int64_t positions,
                     int64_t window) {
    KeyRanges ranges;
    for (size_t i = 0; i < rows.size(); ++i) {
        const int64_t all = row_positions[i] + 1, seen = window > 0 ? std::min(window, all) : all;
        ranges.starts.push_back(rows[i] * positions + all - seen);
        ranges.counts.push_back(seen);
    }
    return ranges;
}

KeyValueCache::KeyValueCache(const DecoderConfig& config, int64_t rows, int64_t positions, at::ScalarType dtype,
                             const at::Device& device)
    : positions_(positions) {
    const int64_t kv_heads = config.kv_heads, dim = config.head_dim;
    const at::TensorOptions options = at::TensorOptions().dtype(dtype).device(device);
    for (int64_t layer = 0; layer < config.layers; ++layer) shapes_.push_back(attention_shape(config, layer));
    for (const AttentionShape& shape : shapes_) windows_.insert(shape.window);
    const at::Tensor like = at::empty({0}, options);
    is_flash_ = std::all_of(shapes_.begin(), shapes_.end(), [&](const AttentionShape& shape) {
        return shape.cap == 0 && &best_sequence_attention(like, shape) == &flash_sequence_attention();
    });
    // Flash attention reads a position's heads beside each other, composed attention a head's positions. Zeros: the latter
    // multiplies what its mask hides by 0, which leaves a NaN a NaN.
    for (int64_t layer = 0; layer < config.layers; ++layer)
        caches_.push_back(is_flash_ ? at::zeros({rows, positions, 2, kv_heads, dim}, options).permute({2, 0, 1, 3, 4})
                                    : at::zeros({2, rows, kv_heads, positions, dim}, options).transpose(2, 3));
}

int64_t KeyValueCache::bytes() const {
    int64_t all = 0;
    for (const at::Tensor& cache : caches_) all += static_cast<int64_t>(cache.nbytes());
    return all;
}

void KeyValueCache::fill(int64_t layer, int64_t row, const at::Tensor& keys_values) {
    caches_[static_cast<size_t>(layer)].select(1, row).narrow(1, 0, keys_values.size(1)).copy_(keys_values);
}

at::Tensor KeyValueCache::held(int64_t layer, int64_t row, int64_t length) const {
    return caches_[static_cast<size_t>(layer)].select(1, row).narrow(1, 0, length);
}

CacheStep KeyValueCache::begin_step(const std::vector<int64_t>& rows, const std::vector<int64_t>& row_positions,
                                    const std::vector<int64_t>& tokens) const {
    if (!is_flash_) return begin_masks(rows, row_positions, tokens);
    const int64_t longest = *std::max_element(row_positions.begin(), row_positions.end()) + 1;
    return step_of(step_numbers(rows, row_positions, tokens).to(caches_[0].device(), /*non_blocking=*/true), longest);
}

at::Tensor KeyValueCache::step_numbers(const std::vector<int64_t>& rows, const std::vector<int64_t>& row_positions,
                                       const std::vector<int64_t>& tokens) const {
    std::vector<int64_t> counting(rows.size() + 1);
    std::iota(counting.begin(), counting.end(), 0);
    std::vector<std::vector<int64_t>> numbers = {tokens, rows, row_positions, counting};
    for (const int64_t window : windows_) {
        KeyRanges ranges = key_ranges(rows, row_positions, positions_, window);
        numbers.push_back(std::move(ranges.starts));
        numbers.push_back(std::move(ranges.counts));
    }
    return to_upload(numbers, caches_[0].device());
}

CacheStep KeyValueCache::step_of(const at::Tensor& numbers, int64_t longest) const {
    const int64_t n = numbers.size(1) - 1;
    const auto row_of = [&](int64_t i) { return numbers.select(0, i).narrow(0, 0, n); };
    CacheStep step;
    step.longest = longest;
    step.tokens = row_of(0);
    step.rows = row_of(1);
    step.positions = row_of(2);
    const at::Tensor narrow = numbers.narrow(0, 3, numbers.size(0) - 3).to(at::kInt);
    step.query_starts = narrow.select(0, 0);
    int64_t next = 1;
    for (const int64_t window : windows_) {
        CacheStep::Seen& seen = step.seen[window];
        seen.starts = narrow.select(0, next++);
        seen.counts = narrow.select(0, next++).narrow(0, 0, n);
    }
    return step;
}

CacheStep KeyValueCache::begin_masks(const std::vector<int64_t>& rows, const std::vector<int64_t>& row_positions,
                                     const std::vector<int64_t>& tokens) const {
    const auto n = static_cast<int64_t>(rows.size());
    CacheStep step;
    step.longest = *std::max_element(row_positions.begin(), row_positions.end()) + 1;
    // On a GPU the rows between the first and the last of these that are not asked for are computed too while they are the
    // fewer: copies of the others would cost more. (On the CPU, last bits would depend on how many there are.)
    const auto [low, high] = std::minmax_element(rows.begin(), rows.end());
    const int64_t range = *high - *low + 1;
    const bool in_order = range == n && std::is_sorted(rows.begin(), rows.end());
    const bool has_slots = !in_order && range <= 2 * n && !caches_[0].is_cpu();
    step.first = *low;
    step.copies_rows = !in_order && !has_slots;

    std::vector<int64_t> slots;
    for (const int64_t row : rows) slots.push_back(row - step.first);
    const at::Tensor numbers =
        to_upload({tokens, rows, row_positions, slots}, caches_[0].device()).to(caches_[0].device(), /*non_blocking=*/true);
    step.tokens = numbers.select(0, 0);
    step.rows = numbers.select(0, 1);
    step.positions = numbers.select(0, 2);
    at::Tensor positions = step.positions;
    if (has_slots) {
        step.slots = numbers.select(0, 3);
        positions = at::zeros({range}, positions.options()).index_copy_(0, step.slots, positions);
    }
    const at::Tensor distance = positions.unsqueeze(1) - at::arange(step.longest, positions.options());
    for (const int64_t window : windows_) {
        at::Tensor& mask = step.seen[window].mask;
        mask = distance >= 0;
        if (window > 0) mask = mask.logical_and(distance < window);
        mask = mask.unsqueeze(1).unsqueeze(1);
    }
    return step;
}

at::Tensor KeyValueCache::attend(int64_t layer, const at::Tensor& heads, const CacheStep& step) {
    const AttentionShape& shape = shapes_[static_cast<size_t>(layer)];
    const int64_t n = heads.size(0), kv_heads = shape.kv_heads;
    at::Tensor& cache = caches_[static_cast<size_t>(layer)];
    const at::Tensor added = heads.narrow(1, shape.heads, 2 * kv_heads);
    cache.index_put_({at::indexing::Slice(), step.rows, step.positions}, added.unflatten(1, {2, kv_heads}).transpose(0, 1));
    const at::Tensor queries = heads.narrow(1, 0, shape.heads);
    const at::Tensor out =
        is_flash_ ? attend_ranges(queries, cache, step, shape) : attend_masks(queries, cache, step, shape);
    return out.reshape({n, shape.heads * shape.head_dim});
}

at::Tensor KeyValueCache::attend_ranges(const at::Tensor& queries, const at::Tensor& cache, const CacheStep& step,
                                        const AttentionShape& shape) const {
    const auto places = [&](int64_t kind) { return cache.select(0, kind).flatten(0, 1); };  // views
    const CacheStep::Seen& seen = step.seen.at(shape.window);
    const auto scale = shape.scale > 0 ? std::optional<double>(shape.scale) : std::nullopt;
    // One query a row: "causal" would change nothing.
    const auto result = at::_flash_attention_forward(
        queries, places(0), places(1), step.query_starts, seen.starts, /*max_q=*/1, /*max_k=*/step.longest,
        /*dropout_p=*/0.0, /*is_causal=*/false, /*return_debug_mask=*/false, scale, /*window_size_left=*/std::nullopt,
        /*window_size_right=*/std::nullopt, seen.counts);
    return std::get<0>(result);
}

at::Tensor KeyValueCache::attend_masks(const at::Tensor& queries, const at::Tensor& cache, const CacheStep& step,
                                       const AttentionShape& shape) const {
    const at::Tensor& mask = step.seen.at(shape.window).mask;
    const auto held = [&](int64_t kind) {  // [m, kv_heads, longest, head_dim]
        const at::Tensor begun = cache.select(0, kind).transpose(1, 2).narrow(2, 0, step.longest);
        return step.copies_rows ? begun.index_select(0, step.rows) : begun.narrow(0, step.first, mask.size(0));
    };
    // The heads that share keys stand as queries beside each other.
    at::Tensor q = queries.reshape({queries.size(0), shape.kv_heads, shape.heads / shape.kv_heads, shape.head_dim});
    const bool has_slots = step.slots.defined();
    if (has_slots) q = at::zeros({mask.size(0), q.size(1), q.size(2), q.size(3)}, q.options()).index_copy_(0, step.slots, q);
    const at::Tensor out = attend_masked(q, held(0), held(1), mask, shape);
    return has_slots ? out.index_select(0, step.slots) : out;
}

}  // namespace craft
