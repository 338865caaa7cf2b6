// Supervised fine-tuning: the negative log-likelihood of the unmasked tokens.
#include <ATen/ATen.h>

#include <stdexcept>

#include "losses/losses.h"

namespace craft {

LossTerms sft_loss(const at::Tensor& token_logprobs) {
    if (!token_logprobs.defined() || token_logprobs.dim() != 1 || token_logprobs.size(0) == 0)
        throw std::invalid_argument("sft loss: expected log-probabilities [R] of at least one token");
    return {.preference_sum = at::zeros({}, token_logprobs.options()), .nll_sum = -token_logprobs.sum()};
}

}  // namespace craft
