// The head's part of target_logprobs() on the CPU, fused: products, softmax and the gradient of the hidden states pass tile
// by tile over the vocabulary. Inside model/ only.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace craft {

bool head_logprobs_apply(const at::Tensor& hidden, const at::Tensor& head, double cap);

// An adapter's part of the logits: inner [R, rank] b [vocab, rank]^T, float32; none where undefined.
struct HeadAddition {
    at::Tensor inner, b;
};

// hidden [R, H] and head [V, H], float32 or bfloat16 each, targets [R] int64 -> log softmax(hidden head^T +
// addition)[target], [R] float32, with float32 sums. If `direction` is given it receives their gradients by hidden, [R, H]
// in hidden's dtype; not with an addition. Memory besides: at most 128 MB, whatever R and V are.
at::Tensor head_logprobs(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                         const HeadAddition& addition, at::Tensor* direction, int64_t weights_at_once = int64_t{1} << 25);

}  // namespace craft
