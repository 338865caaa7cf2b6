// The GPU's kernels on tensors, for model/'s own functions: ops.h, attention.h and decoder.h choose between these and
// LibTorch's operations, and tests compare the two. In a build without CUDA nothing here is used. Inside model/ only.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "model/kernels/quantized_weight.h"
#include "model/kernels/rotary.h"

namespace craft::cuda {

#ifdef CRAFT_CUDA
constexpr bool kBuilt = true;
#else
constexpr bool kBuilt = false;
#endif

// Float32 or bfloat16 on a GPU in a build with CUDA: what the functions below take. They work in the current stream of the
// tensor's device and compute in float32.
inline bool applies(const at::Tensor& x) {
    return kBuilt && x.is_cuda() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16);
}

int64_t multiprocessors(const at::Device& device);

// x [..., width], weight [width] of any floating dtype. `inverse` receives [rows] float32 for backward.
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps, bool from_one, at::Tensor& inverse);
at::Tensor rms_norm_backward(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& inverse, bool from_one,
                             const at::Tensor& dy);
// [width] float32.
at::Tensor rms_norm_weight_gradient(const at::Tensor& x, const at::Tensor& inverse, const at::Tensor& dy);

// gate_up [..., 2 n] -> [..., n].
at::Tensor swiglu(const at::Tensor& gate_up);
at::Tensor swiglu_backward(const at::Tensor& gate_up, const at::Tensor& dy);

// rows [tokens, heads, head_dim], the first `turning` heads turned by the table's angles, or back; a new tensor.
at::Tensor turn_heads(const at::Tensor& rows, const RotaryTable& table, int64_t turning, bool back);

// Of a chunk of logits [rows, vocabulary] float32, contiguous, and targets [rows] int64: all [rows], float32 but for `best`.
struct ChunkEntropy {
    at::Tensor logprobs, lse;
    at::Tensor entropy, best;  // of the softmax, and where the highest logit first stands; only if asked for
};
ChunkEntropy cross_entropy(const at::Tensor& logits, const at::Tensor& targets, double cap, bool with_statistics = false);
// Gradients of `logprobs` by the logits before their cap, times factors [rows] float32 (undefined: 1), in `dtype` (float32
// or bfloat16). In float32 they take the logits' place.
at::Tensor cross_entropy_backward(const at::Tensor& logits, const at::Tensor& targets, const at::Tensor& lse, double cap,
                                  const at::Tensor& factors, at::ScalarType dtype);

// Writes the values of an int8 or NF4 weight into `to` [rows, columns], float32 or bfloat16, rows at any distance, on the
// codes' device: QuantizedWeight::write_values in one pass.
void few_bits_values(const QuantizedWeight& weight, const at::Tensor& to);

// As dropped() of model/kernels/dropout.h, for x [rows, width].
at::Tensor dropped(const at::Tensor& x, double p, const at::Tensor& keys, uint64_t stream);

}  // namespace craft::cuda
