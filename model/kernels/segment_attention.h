// Attention by segment on the CPU in float32 with the kernels of cpu_kernels.h. Inside model/ only.
#pragma once

#include <utility>
#include <vector>

#include "model/kernels/attention.h"

namespace craft {

// Segments [first, last) of one tree: a prefix and the branches that read it, or a beginning of it.
std::vector<std::pair<size_t, size_t>> tree_ranges(const std::vector<Segment>& segments);
// Rows [begin, end) of the prefix, as far as any of the tree's segments [first, last) sees it; empty: none sees one.
struct RowRange {
    int64_t begin = 0, end = 0;
};
RowRange seen_prefix(const std::vector<Segment>& segments, size_t first, size_t last);

// Float32 or bfloat16 rows; the functions below take float32.
bool segment_attention_applies(const at::Tensor& qkv, const AttentionShape& shape);

// heads [heads + 2 kv_heads, tokens, head_dim] as rotate_heads makes them -> out [tokens, heads * head_dim] and lse
// [heads, tokens]; rows in no segment are left as they are.
void segment_attention_forward(const at::Tensor& heads, const std::vector<Segment>& segments, const AttentionShape& shape,
                               const at::Tensor& out, const at::Tensor& lse);
// Adds to d_heads, shaped like heads and zero before.
void segment_attention_backward(const at::Tensor& heads, const std::vector<Segment>& segments, const AttentionShape& shape,
                                const at::Tensor& out, const at::Tensor& lse, const at::Tensor& d_out,
                                const at::Tensor& d_heads);

}  // namespace craft
