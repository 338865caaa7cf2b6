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

struct HeadLogprobs {
    at::Tensor logprobs;   // [R] float32
    at::Tensor entropy;    // [R] float32, nats
    at::Tensor top1;       // [R] bool: no token has a higher logit than the target
    at::Tensor direction;  // [R, H] in hidden's dtype: the gradients of logprobs by hidden; undefined if not asked for
};

// hidden [R, H] and head [V, H], float32 or bfloat16 each, targets [R] int64: of softmax(hidden head^T + addition), with
// float32 sums. With an addition no direction can be had. Memory besides: at most 128 MB, whatever R and V are.
HeadLogprobs head_logprobs(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                           const HeadAddition& addition, bool with_direction, int64_t weights_at_once = int64_t{1} << 25);

}  // namespace craft
