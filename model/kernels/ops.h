// Elementwise parts of the decoder, each one autograd node.
#pragma once

#include <ATen/core/Tensor.h>

#include "model/spec/decoder_config.h"

namespace craft {

// x / sqrt(mean(x^2) + eps) * weight over the last dimension; statistics in float32 (float64 for float64), result in x's
// dtype. x [..., hidden], weight [hidden]. With `from_one` it multiplies by 1 + weight, before x's dtype is returned to.
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps, bool from_one = false);

// The norm that a config names: RMSNorm, from one or not, or LayerNorm with its bias. An undefined weight: x itself.
struct Norm {
    at::Tensor weight, bias;  // [hidden]; bias undefined in an RMSNorm
};
at::Tensor normalise(const at::Tensor& x, const Norm& norm, const DecoderConfig& config);

// x [tokens, n] -> [tokens, n].
at::Tensor activate(const at::Tensor& x, Activation activation);
// Of the feed-forward part: gate_up [tokens, 2 n] -> act(first half) * second half; without a gate act of all.
at::Tensor feed_forward_activation(const at::Tensor& gate_up, const DecoderConfig& config);

// gate_up [tokens, 2 n] -> silu(first half) * second half, [tokens, n].
at::Tensor swiglu(const at::Tensor& gate_up);

}  // namespace craft
