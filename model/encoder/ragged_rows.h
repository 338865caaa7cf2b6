// Rows of different lengths one after the other. Inside model/ only.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace craft {

// Tokens of all rows, [total, width]. Each row takes a multiple of four places, the last of which may hold anything: MKL
// adds the products of one to three rows in another order than those of more, also where they are the rest of a thread's
// share, and a token's state should be the same whatever it stands beside. Some processors would need multiples of 16, which
// cost short rows a fifth of their speed; last digits may differ there.
struct RaggedRows {
    std::vector<int64_t> lengths;  // tokens of each row
    std::vector<int64_t> begins;   // of each row: its first place
    // Of each row the tokens that attention sees as keys, ascending from 0 (int64 on the data's device); undefined: all.
    std::vector<at::Tensor> visible;

    static int64_t places(int64_t length) { return (length + 3) / 4 * 4; }
    int64_t total() const { return lengths.empty() ? 0 : begins.back() + places(lengths.back()); }
    void add(int64_t length, at::Tensor visible_tokens = {});
};

// q [queries.total(), width], k and v [keys.total(), width] -> [queries.total(), width]: softmax(q k^T / sqrt(width /
// heads)) v, each row of queries with the keys of its row; `causal`: token i of a row sees the tokens 0 to i (keys are the
// queries' rows, all visible). Neighbours of equal lengths are one product.
at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const RaggedRows& queries,
                  const RaggedRows& keys, int64_t heads, bool causal);

}  // namespace craft
