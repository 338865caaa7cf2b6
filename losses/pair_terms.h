// What each preference loss computes before the sums, and what several of them share. Internal to losses/.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "losses/losses.h"

namespace craft {

struct PairTerms {
    at::Tensor losses;                 // [n], differentiable
    at::Tensor margins;                // [n], argument of log sigmoid without gamma
    std::optional<double> nll_weight;  // of -logp(w); absent where the loss has no such part
};

// SimPO's, which other losses add to.
PairTerms simpo_terms(const LossOptions& options, const PairLogprobs& logprobs);

// Log-probabilities averaged over each response's tokens, [n].
at::Tensor chosen_average(const PairLogprobs& logprobs);
at::Tensor rejected_average(const PairLogprobs& logprobs);

// -(1 - epsilon) log sigmoid(x) - epsilon log sigmoid(-x), [n]; finite for every finite x.
at::Tensor log_sigmoid_loss(const at::Tensor& x, double label_smoothing);

}  // namespace craft
