// Attention by segment from LibTorch's operations: any device and dtype, windows, scales and caps. Inside model/ only.
#pragma once

#include "model/kernels/attention.h"

namespace craft {

// The heads of one range of rows as the attention kernel takes them: [kv_heads, group, rows, head_dim], keys and values
// with stride 0 over the group instead of copies.
struct Heads {
    at::Tensor q, k, v;
    Heads(const at::Tensor& heads, const AttentionShape& s)
        : q(heads.narrow(0, 0, s.heads).view({s.kv_heads, s.heads / s.kv_heads, -1, s.head_dim})),
          k(heads.narrow(0, s.heads, s.kv_heads).unsqueeze(1)),
          v(heads.narrow(0, s.heads + s.kv_heads, s.kv_heads).unsqueeze(1)) {}
    at::Tensor queries(int64_t begin, int64_t end) const { return q.narrow(2, begin, end - begin); }
    at::Tensor keys(int64_t begin, int64_t end) const {
        return k.narrow(2, begin, end - begin).expand({-1, q.size(1), -1, -1});
    }
    at::Tensor values(int64_t begin, int64_t end) const {
        return v.narrow(2, begin, end - begin).expand({-1, q.size(1), -1, -1});
    }
};

// True where no segment reaches beyond the window and products are neither capped nor scaled in a way of their own: what the
// other kernels compute.
bool is_plain_attention(const AttentionShape& shape, const std::vector<Segment>& segments);

// Queries and keys turned, values as they are: [heads + 2 kv_heads, tokens, head_dim]; differentiable.
at::Tensor turned_heads(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape);

// As packed_attention. Segments must cover the rows in order.
at::Tensor composed_attention(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape,
                              const std::vector<Segment>& segments, at::Tensor* rotated);

// Queries [a, b, m, head_dim] on keys and values [a, 1 or b, n, head_dim]; `mask`, for [a, b, m, n], is true where a query
// sees a key. Scale and cap are the shape's.
at::Tensor attend_masked(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
                         const AttentionShape& shape);

}  // namespace craft
