// Attention by segment in at most two calls on sequences, whatever the number of trees: every segment on itself, causally,
// and all branches of a prompt on that prompt; the two are joined by their log-sum-exps. How a GPU computes
// packed_attention(). The backward pass cuts each of these calls in two where a GPU is done sooner that way.
// Inside model/ only.
#pragma once

#include "model/kernels/attention.h"
#include "model/kernels/sequence_attention.h"
#include "model/kernels/sequence_cuts.h"

namespace craft {

// Rows of all rows, in order.
struct ChosenRows {
    // Those that stand beside each other: from `to` on of all rows, from `from` on of the chosen.
    struct Run {
        int64_t to, from, count;
    };
    std::vector<int32_t> rows;  // empty: all, as they lie
    std::vector<Run> runs;      // of them
    at::Tensor device;          // int64; undefined: all

    void add(const int32_t* first, const int32_t* last);
};

// A call of the backward pass.
struct BackwardCall {
    Sequences sequences;
    ChosenRows queries, keys;
};

struct JoinedSequences {
    Sequences own;                                      // every segment, causal
    Sequences branches;                                 // branches that share a prefix on that prefix; none without prefixes
    std::vector<int32_t> branch_rows;                   // the rows that are the queries of `branches`, in order
    std::vector<int32_t> prefix_rows;                   // and its keys
    at::Tensor device_branch_rows, device_prefix_rows;  // int64
    std::vector<BackwardCall> own_backward;             // together each of `own` once
    std::vector<BackwardCall> branches_backward;        // each of `branches` once
};

// Throws Error unless segments cover the rows in order, from 0. Numbers on the CPU only.
JoinedSequences joined_sequences(const std::vector<Segment>& segments, const BackwardBlocks& blocks = {});
// With one copy to `device`.
JoinedSequences joined_sequences(const std::vector<Segment>& segments, const BackwardBlocks& blocks,
                                 const at::Device& device);

// As packed_attention; any floating dtype and device that `attention` takes. Neither windows, caps nor scales (see
// is_plain_attention).
at::Tensor joined_attention(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape,
                            const std::vector<Segment>& segments, at::Tensor* rotated, const SequenceAttention& attention);

}  // namespace craft
