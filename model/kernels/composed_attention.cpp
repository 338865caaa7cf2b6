#include "model/kernels/composed_attention.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>

#include "model/kernels/cuda/ops.h"

namespace craft {

namespace {

constexpr int64_t kCutQueries = 512;  // with a window or a cap: what one query block sees is cut out of the keys

double scale_of(const AttentionShape& shape) {
    return shape.scale > 0 ? shape.scale : 1 / std::sqrt(static_cast<double>(shape.head_dim));
}

// A block of queries of a segment, those at [first, last) of the path (the prefix counted), on the keys that they see.
at::Tensor attend_block(const Heads& heads, const Segment& s, int64_t first, int64_t last, const AttentionShape& shape) {
    const int64_t before = s.prefix_end - s.prefix_begin;
    const int64_t begin = shape.window > 0 ? std::max<int64_t>(0, first - shape.window + 1) : 0;
    // Path positions [begin, last) are rows of the prefix, then of the segment itself.
    const auto rows = [&](const auto& range) {
        if (begin >= before) return range(s.begin + begin - before, s.begin + last - before);
        return at::cat({range(s.prefix_begin + begin, s.prefix_end), range(s.begin, s.begin + last - before)}, 2);
    };
    const at::Tensor k = rows([&](int64_t from, int64_t to) { return heads.keys(from, to); });
    const at::Tensor v = rows([&](int64_t from, int64_t to) { return heads.values(from, to); });
    const at::Tensor q = heads.queries(s.begin + first - before, s.begin + last - before);
    const auto options = q.options().dtype(at::kLong).requires_grad(false);
    const at::Tensor distance = at::arange(first, last, options).unsqueeze(1) - at::arange(begin, last, options);
    at::Tensor mask = distance >= 0;
    if (shape.window > 0) mask = mask.logical_and(distance < shape.window);
    return attend_masked(q, k, v, mask, shape);
}

}  // namespace

at::Tensor turned_heads(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape) {
    const int64_t turned = shape.heads + shape.kv_heads, half = table.cos.size(1);
    const at::Tensor rows = qkv.view({qkv.size(0), turned + shape.kv_heads, shape.head_dim}).transpose(0, 1);
    if (half == 0) return rows;
    if constexpr (cuda::kBuilt) {
        const bool in_graph = at::GradMode::is_enabled() && qkv.requires_grad();
        if (cuda::applies(qkv) && !in_graph)
            return cuda::turn_heads(rows.transpose(0, 1), table, turned, /*back=*/false).transpose(0, 1);
    }
    const at::Tensor wide = rows.narrow(0, 0, turned).to(table.cos.scalar_type());
    const at::Tensor a = wide.narrow(-1, 0, half), b = wide.narrow(-1, half, half);
    std::vector<at::Tensor> parts = {a * table.cos - b * table.sin, b * table.cos + a * table.sin};
    if (2 * half < shape.head_dim) parts.push_back(wide.narrow(-1, 2 * half, shape.head_dim - 2 * half));
    return at::cat({at::cat(parts, -1).to(qkv.scalar_type()), rows.narrow(0, turned, shape.kv_heads)}, 0);
}

bool is_plain_attention(const AttentionShape& shape, const std::vector<Segment>& segments) {
    if (shape.cap > 0 || shape.scale > 0) return false;
    return shape.window == 0 || std::all_of(segments.begin(), segments.end(), [&](const Segment& s) {
               return s.prefix_end - s.prefix_begin + s.end - s.begin <= shape.window;
           });
}

at::Tensor attend_masked(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
                         const AttentionShape& shape) {
    if (shape.cap == 0) {
        return at::scaled_dot_product_attention(q, k.expand({-1, q.size(1), -1, -1}), v.expand({-1, q.size(1), -1, -1}),
                                                mask, 0.0, false, scale_of(shape));
    }
    const at::ScalarType wide = q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    at::Tensor scores = at::matmul(q, k.transpose(-1, -2)) * (scale_of(shape) / shape.cap);
    scores = scores.tanh() * shape.cap;
    scores = scores.masked_fill(mask.logical_not(), -INFINITY);
    return at::matmul(scores.softmax(-1, wide).to(q.scalar_type()), v);
}

at::Tensor composed_attention(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape,
                              const std::vector<Segment>& segments, at::Tensor* rotated) {
    const at::Tensor heads = turned_heads(qkv, table, shape);
    if (rotated != nullptr) *rotated = heads.detach().contiguous();
    const Heads views(heads, shape);
    const bool plain = is_plain_attention(shape, segments);
    std::vector<at::Tensor> parts;
    int64_t done = 0;
    for (const Segment& s : segments) {
        TORCH_CHECK(s.begin == done, "segments must cover the packed row in order");
        done = s.end;
        const int64_t before = s.prefix_end - s.prefix_begin, end = before + s.end - s.begin;
        const auto add = [&](const at::Tensor& o) {
            parts.push_back(o.permute({2, 0, 1, 3}).reshape({o.size(2), shape.heads * shape.head_dim}));
        };
        if (plain && before == 0) {  // without a mask the library takes its fastest way
            add(at::scaled_dot_product_attention(views.queries(s.begin, s.end), views.keys(s.begin, s.end),
                                                 views.values(s.begin, s.end), std::nullopt, 0.0, true));
            continue;
        }
        const int64_t step = plain ? end - before : kCutQueries;
        for (int64_t first = before; first < end; first += step)
            add(attend_block(views, s, first, std::min(end, first + step), shape));
    }
    return at::cat(parts, 0);
}

}  // namespace craft
