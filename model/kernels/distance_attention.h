// T5's attention: a number a head and distance between tokens is added to query-key products.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace craft {

// Small distances have buckets of their own, greater ones share them, the more the greater they are.
struct DistanceBuckets {
    int64_t count = 0;
    int64_t farthest = 0;         // from here on all distances are of the last bucket
    bool both_directions = true;  // keys behind a query have other buckets than those before it; else they have the first
};

// [queries, keys] int64 on `device`: the bucket of each key's distance from each query; query i stands `before` + i tokens
// behind the first key. In float32 as transformers computes it.
at::Tensor distance_buckets(int64_t queries, int64_t keys, int64_t before, const DistanceBuckets& buckets,
                            const at::Device& device);

// table [buckets, heads] by those -> [heads, queries, keys]; differentiable in the table. `causal`: -infinity where a key
// stands behind the query.
at::Tensor distance_bias(const at::Tensor& table, int64_t queries, int64_t keys, int64_t before,
                         const DistanceBuckets& buckets, bool causal);

// q [queries, heads * head_dim], k and v [keys, heads * head_dim] -> [queries, heads * head_dim]: softmax(scale q k^T +
// bias) v, with sums of the softmax in float32 (float64 of float64). `bias` [heads, queries, keys] in the rows' dtype;
// undefined: none. Differentiable.
at::Tensor biased_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& bias,
                            int64_t heads, double scale);

}  // namespace craft
