// Rotary positions and causal attention by segment on packed rows.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "model/kernels/packed_batch.h"
#include "model/kernels/rotary.h"
#include "model/spec/decoder_config.h"

namespace craft {

struct AttentionShape {
    int64_t heads = 0, kv_heads = 0, head_dim = 0;
    int64_t window = 0;  // keys that a query sees, its own position's included; 0: all before it
    double scale = 0;    // of query-key products; 0: 1 / sqrt(head_dim)
    double cap = 0;      // products p become cap * tanh(p / cap); 0: off
};
AttentionShape attention_shape(const DecoderConfig& config, int64_t layer);

// qkv [tokens, (heads + 2 kv_heads) head_dim] -> [heads + 2 kv_heads, tokens, head_dim]: queries and keys rotated (pairs
// d, d + turning dimensions / 2: Hugging Face's rotate_half), values moved. No autograd.
at::Tensor rotate_heads(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape);

// qkv as above -> [tokens, heads * head_dim]; differentiable. Each segment sees its prefix and, causally, itself, within the
// window. Segments cover the rows in order; plain attention on the CPU takes others, too, and leaves rows that stand in none
// undefined. If `rotated` is given it receives the result of rotate_heads, for
// caches.
at::Tensor packed_attention(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape,
                            const std::vector<Segment>& segments, at::Tensor* rotated = nullptr);

}  // namespace craft
