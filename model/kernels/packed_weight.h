// Weights laid out for the kernels' products: float32 (PackedWeight of cpu_kernels.h) and bfloat16.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "model/kernels/cpu_kernels.h"

namespace craft {

// A copy of weight [rows, columns], over the threads.
PackedWeight pack_weight(const float* weight, int64_t rows, int64_t columns);

// weight [rows, columns], of any dtype and device. Given away (moved in) as the last that holds its memory, a float32 weight
// on the CPU of whole panels (16 rows) is packed where it lies, and no memory of its size is taken beside it.
PackedWeight pack_weight(at::Tensor weight);

// A bfloat16 weight [rows, columns] for products x W^T with x rounded to bfloat16 and float32 sums. Only where
// has_bfloat16_products().
struct PackedBfloat16 {
    int64_t rows = 0, columns = 0;  // columns: the next even number
    std::shared_ptr<const uint16_t> panels;
};
// A copy of weight [rows, columns] on the CPU, rounded where it is not bfloat16.
PackedBfloat16 pack_bfloat16_weight(const at::Tensor& weight);
// x [m, columns] as [m, next even number of columns] bfloat16, over the threads.
std::vector<uint16_t> rounded_rows(const float* x, int64_t m, int64_t columns);
// c [m, w.rows] (+)= x W^T, over the threads; rows of x and c may lie apart. A row's bits do not depend on the others.
void packed_product(const uint16_t* x, int64_t x_stride, int64_t m, const PackedBfloat16& w, float* c, int64_t c_stride,
                    bool add);

}  // namespace craft
