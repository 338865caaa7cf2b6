// ARPO with SimPO's length normalisation and margin (policy simplification).
#include <ATen/ATen.h>

#include "losses/pair_terms.h"

namespace craft {

PairTerms arpo_simpo_terms(const LossOptions& options, const PairLogprobs& logprobs) {
    const at::Tensor chosen = chosen_average(logprobs), rejected = rejected_average(logprobs);
    const at::Tensor tau = arpo_tau(chosen, rejected, options.eta1, options.eta2, options.detach_tau);
    const at::Tensor margins = options.beta * (chosen - tau * rejected);
    return {.losses = log_sigmoid_loss(margins - options.gamma, options.label_smoothing),
            .margins = margins,
            .nll_weight = options.alpha};
}

}  // namespace craft
