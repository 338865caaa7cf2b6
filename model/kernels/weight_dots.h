// Products of float32 activations with a weight as it is held, in float32: its codes are made values in registers.
#pragma once

#include <cstdint>
#include <vector>

#include "model/kernels/quantized_weight.h"

namespace craft {

// On the CPU. What is summed are exactly the values that QuantizedWeight::values(at::kFloat) has; only the order of the sums
// is the kernels' own. Sums of n products in any order are within n 2^-24 sum |a w| of the exact one, so that this and
// another order differ by twice that at most.
class WeightDots {
public:
    // As WeightRows: float32, bfloat16, int8, nf4 or blocks on the CPU, contiguous. Throws Error otherwise.
    explicit WeightDots(const QuantizedWeight& weight);

    int64_t rows() const { return rows_.rows(); }
    int64_t columns() const { return rows_.columns(); }
    // True if add() takes activations in the order of split_pairs().
    bool takes_split() const { return split_; }
    // c [m, count] += a [m, columns] W^T of rows [row, row + count); rows of c are ldc apart. The order of an element's
    // additions does not depend on m, row and count. `scratch` is room for values, its contents mean nothing.
    void add(const float* a, int64_t m, int64_t row, int64_t count, float* c, int64_t ldc,
             std::vector<float>& scratch) const;

private:
    void add_nf4(const float* a, int64_t m, int64_t row, int64_t count, int64_t from, int64_t n, float* c,
                 int64_t ldc) const;

    QuantizedWeight weight_;  // holds what is read
    WeightRows rows_;
    bool split_ = false;
};

// Of each 32 elements of every row (columns is a multiple of 32) the even ones, then the odd ones: the order in which 4-bit
// codes come out of their bytes.
std::vector<float> split_pairs(const std::vector<float>& a);

}  // namespace craft
