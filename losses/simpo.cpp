// SimPO: reference-free, on length-normalised log-probabilities, with a target margin.
#include <ATen/ATen.h>

#include "losses/pair_terms.h"

namespace craft {

PairTerms simpo_terms(const LossOptions& options, const PairLogprobs& logprobs) {
    const at::Tensor margins = options.beta * (chosen_average(logprobs) - rejected_average(logprobs));
    return {
        .losses = log_sigmoid_loss(margins - options.gamma, options.label_smoothing), .margins = margins, .nll_weight = {}};
}

}  // namespace craft
