// Attention of many sequences that follow one another in one row of tokens, with the log-sum-exps by which parts of it
// are joined (joined_attention.h). Inside model/ only.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "model/kernels/attention.h"

namespace craft {

// Sequence i has queries [queries[i], queries[i + 1]) and keys [keys[i], keys[i + 1]), at least one of each (in a backward
// pass also none of either). If causal, it has as many keys as queries and query j sees the keys up to j.
struct Sequences {
    std::vector<int32_t> queries{0}, keys{0};
    bool causal = false;
    at::Tensor device_queries, device_keys;  // the same numbers, int32, where the rows are

    size_t count() const { return queries.size() - 1; }
};

// Queries [n, heads, head_dim], keys and values [m, kv_heads, head_dim], each last dimension contiguous; heads is a multiple
// of kv_heads. Products are scaled by 1 / sqrt(head_dim). No autograd.
class SequenceAttention {
public:
    struct Attended {
        at::Tensor out;  // [n, heads, head_dim], contiguous
        at::Tensor lse;  // [heads, n] log-sum-exps of the scaled products, float32 (float64 of float64 rows)
    };
    struct Gradients {
        at::Tensor q, k, v;
    };
    SequenceAttention() = default;
    SequenceAttention(const SequenceAttention&) = delete;
    SequenceAttention& operator=(const SequenceAttention&) = delete;
    virtual ~SequenceAttention() = default;
    virtual Attended forward(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Sequences& s) const = 0;
    // With `out` and `lse` of attention over more keys than these, the gradients are these keys' part of it, and those of q
    // what comes to it through them.
    virtual Gradients backward(const at::Tensor& d_out, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                               const at::Tensor& out, const at::Tensor& lse, const Sequences& s) const = 0;
    // Blocks of threads that a backward pass there runs at once, for backward_cuts(); 0: one call does.
    virtual int64_t blocks_at_once(const at::Device&) const { return 0; }
};

// From LibTorch's products, any device and floating dtype, a block of queries at a time: memory grows with the longest
// sequence, not with its square.
const SequenceAttention& plain_sequence_attention();
// LibTorch's flash attention of variable length: bfloat16 and float16 on a GPU (compute capability 8.0 or later).
const SequenceAttention& flash_sequence_attention();
// The latter where it can be used, else the former.
const SequenceAttention& best_sequence_attention(const at::Tensor& rows, const AttentionShape& shape);

}  // namespace craft
