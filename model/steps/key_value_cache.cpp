#include "model/steps/key_value_cache.h"

#include <torch/types.h>

#include <algorithm>

#include "model/kernels/composed_attention.h"
#include "model/kernels/sequence_attention.h"

namespace craft {

namespace {

// Rows of equal length in the memory of the CPU: int64, pinned if they go to a GPU.
class Upload {
public:
    Upload(int64_t count, int64_t width, const at::Device& device)
        : numbers_(at::zeros({count, width}, at::TensorOptions().dtype(at::kLong).pinned_memory(device.is_cuda()))),
          device_(device) {}
    void add(const std::vector<int64_t>& row) {
        std::copy(row.begin(), row.end(), numbers_.mutable_data_ptr<int64_t>() + added_++ * numbers_.size(1));
    }
    // [count, width] where they are needed; LibTorch keeps pinned memory from other use until it has been read.
    at::Tensor send() const { return numbers_.to(device_, /*non_blocking=*/true); }

private:
    at::Tensor numbers_;
    at::Device device_;
    int64_t added_ = 0;
};

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

void KeyValueCache::fill(int64_t layer, int64_t row, const at::Tensor& keys_values) {
    caches_[static_cast<size_t>(layer)].select(1, row).narrow(1, 0, keys_values.size(1)).copy_(keys_values);
}

CacheStep KeyValueCache::begin_step(const std::vector<int64_t>& rows, const std::vector<int64_t>& row_positions,
                                    const std::vector<int64_t>& tokens) const {
    const auto n = static_cast<int64_t>(rows.size());
    CacheStep step;
    step.longest = *std::max_element(row_positions.begin(), row_positions.end()) + 1;
    for (const AttentionShape& shape : shapes_) step.seen[shape.window] = {};
    // On a GPU the rows between the first and the last of these that are not asked for are computed too while they are the
    // fewer: copies of the others would cost more. (On the CPU, last bits would depend on how many there are.)
    const auto [low, high] = std::minmax_element(rows.begin(), rows.end());
    const int64_t range = *high - *low + 1;
    const bool in_order = range == n && std::is_sorted(rows.begin(), rows.end());
    const bool has_slots = !in_order && range <= 2 * n && !caches_[0].is_cpu();
    step.first = *low;
    step.copies_rows = !in_order && !has_slots;

    constexpr int64_t kNumbers = 5;  // tokens, rows, positions, slots and query_starts
    const auto windows = static_cast<int64_t>(step.seen.size());
    Upload upload(kNumbers + (is_flash_ ? 2 * windows : 0), n + 1, caches_[0].device());
    std::vector<int64_t> slots, counting;
    for (const int64_t row : rows) slots.push_back(row - step.first);
    for (int64_t i = 0; i <= n; ++i) counting.push_back(i);
    for (const std::vector<int64_t>& row : {tokens, rows, row_positions, slots, counting}) upload.add(row);
    for (const auto& [window, seen] : step.seen) {
        if (!is_flash_) continue;
        const KeyRanges ranges = key_ranges(rows, row_positions, positions_, window);
        upload.add(ranges.starts);
        upload.add(ranges.counts);
    }
    const at::Tensor numbers = upload.send();
    const auto row_of = [&](int64_t i) { return numbers.select(0, i).narrow(0, 0, n); };
    step.tokens = row_of(0);
    step.rows = row_of(1);
    step.positions = row_of(2);
    if (is_flash_) {
        const at::Tensor narrow = numbers.narrow(0, kNumbers - 1, 1 + 2 * windows).to(at::kInt);
        step.query_starts = narrow.select(0, 0);
        int64_t next = 1;
        for (auto& [window, seen] : step.seen) {
            seen.starts = narrow.select(0, next++);
            seen.counts = narrow.select(0, next++).narrow(0, 0, n);
        }
        return step;
    }
    at::Tensor positions = step.positions;
    if (has_slots) {
        step.slots = row_of(3);
        positions = at::zeros({range}, positions.options()).index_copy_(0, step.slots, positions);
    }
    const at::Tensor distance = positions.unsqueeze(1) - at::arange(step.longest, positions.options());
    for (auto& [window, seen] : step.seen) {
        seen.mask = distance >= 0;
        if (window > 0) seen.mask = seen.mask.logical_and(distance < window);
        seen.mask = seen.mask.unsqueeze(1).unsqueeze(1);
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
