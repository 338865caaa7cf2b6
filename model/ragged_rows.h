// Rows of different lengths one behind the other, [sum of lengths, width]: nothing is padded. Inside model/ only.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace craft {

struct RaggedRows {
    std::vector<int64_t> lengths;  // of each row
    std::vector<int64_t> begins;   // of each row: where it begins in the sum
    // Of each row the tokens that attention sees as keys, ascending from 0 (int64 on the data's device); undefined: all.
    std::vector<at::Tensor> visible;

    int64_t total() const { return lengths.empty() ? 0 : begins.back() + lengths.back(); }
    void add(int64_t length, at::Tensor visible_tokens = {});
};

// q [queries.total(), width], k and v [keys.total(), width] -> [queries.total(), width]: softmax(q k^T / sqrt(width /
// heads)) v, each row of queries with the keys of its row; `causal`: query i of a row sees keys 0 to i (rows as long as
// their keys, all visible). Neighbours of equal lengths are one product; what a row gives does not depend on them but for
// rounding.
at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const RaggedRows& queries,
                  const RaggedRows& keys, int64_t heads, bool causal);

}  // namespace craft
