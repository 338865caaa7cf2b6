// DPO: how much more likely the preferred response has become than the other one, each against the reference's summed
// log-probability (Rafailov and others, Direct Preference Optimization: Your Language Model is Secretly a Reward Model,
// 2023, Eq. 7; CRAFT trains its Conifer baseline with it).
#include <ATen/ATen.h>

#include "losses/pair_terms.h"

namespace craft {

PairTerms dpo_terms(const LossOptions& options, const PairLogprobs& logprobs) {
    const at::Tensor chosen = logprobs.chosen_sum - logprobs.chosen_reference;
    const at::Tensor rejected = logprobs.rejected_sum - logprobs.rejected_reference;
    const at::Tensor margins = options.beta * (chosen - rejected);
    return {.losses = log_sigmoid_loss(margins, options.label_smoothing), .margins = margins, .nll_weight = options.alpha};
}

}  // namespace craft
