#include "model/kernels/segment_attention.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "model/kernels/cpu_kernels.h"

namespace craft {

std::vector<std::pair<size_t, size_t>> tree_ranges(const std::vector<Segment>& segments) {
    std::vector<std::pair<size_t, size_t>> trees;
    int64_t root = -1;
    for (size_t i = 0; i < segments.size(); ++i) {
        const Segment& s = segments[i];
        const int64_t own_root = s.prefix_end > s.prefix_begin ? s.prefix_begin : s.begin;
        if (trees.empty() || own_root != root) trees.emplace_back(i, i);
        trees.back().second = i + 1;
        root = own_root;
    }
    return trees;
}

RowRange seen_prefix(const std::vector<Segment>& segments, size_t first, size_t last) {
    RowRange seen;
    for (size_t i = first; i < last; ++i) {
        const Segment& s = segments[i];
        if (s.prefix_end - s.prefix_begin > seen.end - seen.begin) seen = {s.prefix_begin, s.prefix_end};
    }
    return seen;
}

namespace {

// Keys and values of a range of rows for one kv head, packed.
struct PackedKv {
    std::vector<float> key_panels, value_panels;
    SegmentRange range;

    void pack(const float* keys, const float* values, int64_t begin, int64_t end, int64_t dim, bool with_values) {
        range = {};
        range.length = end - begin;
        range.keys.rows = keys + begin * dim;
        range.values.rows = values + begin * dim;
        key_panels.resize(static_cast<size_t>(padded(range.length) * dim));
        pack_panels(range.keys.rows, range.length, dim, key_panels.data());
        range.keys.panels = key_panels.data();
        if (!with_values) return;
        value_panels.resize(key_panels.size());
        pack_panels(range.values.rows, range.length, dim, value_panels.data());
        range.values.panels = value_panels.data();
    }
};

// Calls work(task, segment, head) for every segment and head, the tasks of one tree and kv head on one thread, since they
// share gradients. With d_heads the ranges carry their gradients.
template <class F>
void for_each_task(const at::Tensor& heads, const std::vector<Segment>& segments, const AttentionShape& shape,
                   float* d_heads, const F& work) {
    const auto trees = tree_ranges(segments);
    const int64_t dim = shape.head_dim, plane = heads.size(1) * dim, group = shape.heads / shape.kv_heads;
    const float* const base = heads.const_data_ptr<float>();
    at::parallel_for(0, static_cast<int64_t>(trees.size()) * shape.kv_heads, 1, [&](int64_t begin, int64_t end) {
        PackedKv prefix, own;
        std::vector<float> scratch;
        for (int64_t t = begin; t < end; ++t) {
            const auto [first, last] = trees[static_cast<size_t>(t / shape.kv_heads)];
            const int64_t kv_head = t % shape.kv_heads, key_plane = shape.heads + kv_head,
                          value_plane = key_plane + shape.kv_heads;
            const float *const keys = base + key_plane * plane, *const values = base + value_plane * plane;
            const auto with_gradients = [&](SegmentRange range, int64_t at) {
                if (d_heads == nullptr) return range;
                range.d_keys = d_heads + key_plane * plane + at * dim;
                range.d_values = d_heads + value_plane * plane + at * dim;
                return range;
            };
            // Packed once, as far as any of the tree's segments sees it; one that sees less of it reads the beginning.
            const RowRange seen = seen_prefix(segments, first, last);
            if (seen.end > seen.begin) prefix.pack(keys, values, seen.begin, seen.end, dim, d_heads != nullptr);
            for (size_t i = first; i < last; ++i) {
                const Segment& s = segments[i];
                SegmentTask task;
                task.head_dim = dim;
                if (s.prefix_end > s.prefix_begin) {
                    task.prefix = with_gradients(prefix.range, s.prefix_begin);
                    task.prefix.length = s.prefix_end - s.prefix_begin;
                }
                own.pack(keys, values, s.begin, s.end, dim, d_heads != nullptr);
                task.own = with_gradients(own.range, s.begin);
                for (int64_t head = kv_head * group; head < (kv_head + 1) * group; ++head) {
                    task.queries = base + head * plane + s.begin * dim;
                    work(task, s, head, scratch);
                }
            }
        }
    });
}

}  // namespace

bool segment_attention_applies(const at::Tensor& qkv, const AttentionShape& shape) {
    const bool fits = qkv.scalar_type() == at::kFloat || qkv.scalar_type() == at::kBFloat16;
    return qkv.is_cpu() && fits && shape.head_dim % kLanes == 0;
}

void segment_attention_forward(const at::Tensor& heads, const std::vector<Segment>& segments, const AttentionShape& shape,
                               const at::Tensor& out, const at::Tensor& lse) {
    const int64_t dim = shape.head_dim, tokens = heads.size(1);
    float *const out_rows = out.data_ptr<float>(), *const lse_rows = lse.data_ptr<float>();
    for_each_task(heads, segments, shape, nullptr,
                  [&](SegmentTask& task, const Segment& s, int64_t head, std::vector<float>& scratch) {
                      task.out_stride = shape.heads * dim;
                      task.out = out_rows + s.begin * task.out_stride + head * dim;
                      task.lse = lse_rows + head * tokens + s.begin;
                      cpu_kernels().segment_forward(task, scratch);
                  });
}

void segment_attention_backward(const at::Tensor& heads, const std::vector<Segment>& segments, const AttentionShape& shape,
                                const at::Tensor& out, const at::Tensor& lse, const at::Tensor& d_out,
                                const at::Tensor& d_heads) {
    const int64_t dim = shape.head_dim, tokens = heads.size(1);
    float *const out_rows = out.data_ptr<float>(), *const lse_rows = lse.data_ptr<float>(),
                 *const d = d_heads.data_ptr<float>();
    const float* const d_out_rows = d_out.const_data_ptr<float>();
    for_each_task(heads, segments, shape, d,
                  [&](SegmentTask& task, const Segment& s, int64_t head, std::vector<float>& scratch) {
                      task.out_stride = shape.heads * dim;
                      const int64_t at = s.begin * task.out_stride + head * dim;
                      task.out = out_rows + at;
                      task.lse = lse_rows + head * tokens + s.begin;
                      task.d_out = d_out_rows + at;
                      task.d_queries = d + (head * tokens + s.begin) * dim;
                      cpu_kernels().segment_backward(task, scratch);
                  });
}

}  // namespace craft
