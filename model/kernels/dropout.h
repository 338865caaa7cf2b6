// Dropout whose masks take no memory. Whether an element stays is a function of its tree's seed, its row in the tree, its
// column and a stream's number: the same on every device, with any number of threads, whatever is computed beside it;
// backward makes it again.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace craft {

// Neighbouring rows of an input, those of one tree of tokens, and their seed.
struct DropoutRows {
    int64_t rows = 0;
    uint64_t seed = 0;
};

// [sum of rows, 2] int64 on `device`: of each row the seed, and its number among the rows of that seed.
at::Tensor dropout_keys(const std::vector<DropoutRows>& rows, const at::Device& device);

// x [rows, width] of any floating dtype with elements replaced by 0 with probability p, in [0, 1), and the others divided by
// 1 - p; a new tensor, without autograd. `keys` for x's rows, where x is. Masks of different streams are independent.
at::Tensor dropped(const at::Tensor& x, double p, const at::Tensor& keys, uint64_t stream);

// Of the 2^32 words that an element may get, those below this number drop it.
uint32_t dropped_words(double p);

}  // namespace craft
