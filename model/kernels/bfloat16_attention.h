// Attention by segment on the CPU with bfloat16 products and float32 sums. Inside model/ only.
#pragma once

#include "model/kernels/attention.h"

namespace craft {

// Of bfloat16 rows, where has_bfloat16_products().
bool bfloat16_attention_applies(const at::Tensor& qkv, const AttentionShape& shape);

// heads [heads + 2 kv_heads, tokens, head_dim] as rotate_heads makes them -> out [tokens, heads * head_dim], both bfloat16,
// and lse [heads, tokens] float32; rows in no segment are left as they are. Softmax weights are rounded to bfloat16 before
// they meet the values, as in FlashAttention.
void bfloat16_attention_forward(const at::Tensor& heads, const std::vector<Segment>& segments, const AttentionShape& shape,
                                const at::Tensor& out, const at::Tensor& lse);
// d_out bfloat16 and contiguous; adds to d_heads, shaped like heads, float32 and zero before.
void bfloat16_attention_backward(const at::Tensor& heads, const std::vector<Segment>& segments, const AttentionShape& shape,
                                 const at::Tensor& out, const at::Tensor& lse, const at::Tensor& d_out,
                                 const at::Tensor& d_heads);

}  // namespace craft
