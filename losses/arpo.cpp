// ARPO: CPO whose push against the rejected response is weakened by tau when the two are close.
#include <ATen/ATen.h>

#include "losses/pair_terms.h"

namespace craft {

at::Tensor arpo_tau(const at::Tensor& chosen_average, const at::Tensor& rejected_average, double eta1, double eta2,
                    bool detach) {
    // Far beyond the clamp exp() would overflow, and 0 * inf is no gradient: 80 is below float32's limit.
    const at::Tensor exponent = at::clamp_max(eta2 * at::abs(chosen_average - rejected_average), 80);
    const at::Tensor raw = eta1 * at::exp(exponent) - 1;
    // where(), not clamp(): at the clamp itself the derivative is 0.
    const at::Tensor tau = at::where(raw < 1, raw, at::ones_like(raw));
    return detach ? tau.detach() : tau;
}

PairTerms arpo_terms(const LossOptions& options, const PairLogprobs& logprobs) {
    const at::Tensor tau =
        arpo_tau(chosen_average(logprobs), rejected_average(logprobs), options.eta1, options.eta2, options.detach_tau);
    const at::Tensor margins = options.beta * (logprobs.chosen_sum - tau * logprobs.rejected_sum);
    return {.losses = log_sigmoid_loss(margins, options.label_smoothing), .margins = margins, .nll_weight = options.alpha};
}

}  // namespace craft
