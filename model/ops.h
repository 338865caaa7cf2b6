// Elementwise parts of the decoder, each one autograd node.
#pragma once

#include <ATen/core/Tensor.h>

namespace craft {

// x / sqrt(mean(x^2) + eps) * weight over the last dimension; statistics in float32 (float64 for float64), result in x's
// dtype. x [tokens, hidden], weight [hidden].
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps);

// gate_up [tokens, 2 n] -> silu(first half) * second half, [tokens, n].
at::Tensor swiglu(const at::Tensor& gate_up);

}  // namespace craft
