// Float32 weights laid out for the kernels' products (PackedWeight of cpu_kernels.h).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "model/kernels/cpu_kernels.h"

namespace craft {

// A copy of weight [rows, columns], over the threads.
PackedWeight pack_weight(const float* weight, int64_t rows, int64_t columns);

// weight [rows, columns], of any dtype and device. Given away (moved in) as the last that holds its memory, a float32 weight
// on the CPU of whole panels (16 rows) is packed where it lies, and no memory of its size is taken beside it.
PackedWeight pack_weight(at::Tensor weight);

}  // namespace craft
