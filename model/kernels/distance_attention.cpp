#include "model/kernels/distance_attention.h"

#include <ATen/OpMathType.h>
#include <torch/types.h>

#include <cmath>
#include <limits>

namespace craft {

namespace {

// [queries, keys]: where each key stands from each query.
at::Tensor distances(int64_t queries, int64_t keys, int64_t before, const at::Device& device) {
    const auto numbers = at::TensorOptions().dtype(at::kLong).device(device);
    return at::arange(keys, numbers).unsqueeze(0) - at::arange(before, before + queries, numbers).unsqueeze(1);
}

// [rows, heads * head_dim] -> [heads, rows, head_dim].
at::Tensor by_head(const at::Tensor& x, int64_t heads) {
    return x.view({x.size(0), heads, x.size(1) / heads}).transpose(0, 1);
}

}  // namespace

at::Tensor distance_buckets(int64_t queries, int64_t keys, int64_t before, const DistanceBuckets& buckets,
                            const at::Device& device) {
    at::Tensor distance = distances(queries, keys, before, device);
    int64_t count = buckets.count;
    at::Tensor first = at::zeros_like(distance);
    if (buckets.both_directions) {
        count /= 2;
        first = (distance > 0).to(at::kLong) * count;
        distance = distance.abs();
    } else {
        distance = distance.neg().clamp_min(0);
    }
    const int64_t exact = count / 2;  // distances below have buckets of their own
    const double ratio = std::log(static_cast<double>(buckets.farthest) / static_cast<double>(exact));
    const at::Tensor shared = ((distance.to(at::kFloat) / exact).log() / ratio * (count - exact)).to(at::kLong) + exact;
    return first + at::where(distance < exact, distance, shared.clamp_max(count - 1));
}

at::Tensor distance_bias(const at::Tensor& table, int64_t queries, int64_t keys, int64_t before,
                         const DistanceBuckets& buckets, bool causal) {
    const at::Tensor rows =
        at::embedding(table, distance_buckets(queries, keys, before, buckets, table.device())).permute({2, 0, 1});
    if (!causal) return rows.contiguous();
    return rows.masked_fill(distances(queries, keys, before, table.device()) > 0, -std::numeric_limits<double>::infinity());
}

at::Tensor biased_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& bias,
                            int64_t heads, double scale) {
    at::Tensor scores = at::matmul(by_head(q, heads), by_head(k, heads).transpose(1, 2));
    if (scale != 1) scores = scores * scale;
    if (bias.defined()) scores = scores + bias;
    const at::Tensor weights = at::softmax(scores, -1, at::toOpMathType(q.scalar_type())).to(q.scalar_type());
    return at::matmul(weights, by_head(v, heads)).transpose(0, 1).reshape({q.size(0), q.size(1)});
}

}  // namespace craft
