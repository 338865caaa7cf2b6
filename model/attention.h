// Rotary positions and causal attention by segment on packed rows.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "model/packed_batch.h"

namespace craft {

struct AttentionShape {
    int64_t heads = 0, kv_heads = 0, head_dim = 0;
};

// cos and sin of position * theta^(-2i/head_dim), computed in float32 as transformers does.
struct RotaryTable {
    at::Tensor cos, sin;  // [tokens, head_dim / 2] float32 (float64 in a float64 model)
};
RotaryTable rotary_table(const at::Tensor& positions, int64_t head_dim, double theta, at::ScalarType dtype);

// qkv [tokens, (heads + 2 kv_heads) head_dim] -> [heads + 2 kv_heads, tokens, head_dim]: queries and keys rotated (pairs
// d, d + head_dim/2: Hugging Face's rotate_half), values moved. No autograd.
at::Tensor rotate_heads(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape);

// qkv as above -> [tokens, heads * head_dim]; differentiable. Each segment sees its prefix and, causally, itself; rows that
// stand in no segment are not defined. If `rotated` is given it receives the result of rotate_heads, for caches.
at::Tensor packed_attention(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape,
                            const std::vector<Segment>& segments, at::Tensor* rotated = nullptr);

}  // namespace craft
