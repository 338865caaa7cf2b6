// CPO: summed log-probabilities against each other, with the preferred response's likelihood as an anchor.
#include <ATen/ATen.h>

#include "losses/pair_terms.h"

namespace craft {

PairTerms cpo_terms(const LossOptions& options, const PairLogprobs& logprobs) {
    PairTerms terms;
    terms.margins = options.beta * (logprobs.chosen_sum - logprobs.rejected_sum);
    terms.nll_weight = options.alpha;
    switch (options.form) {
        case CpoForm::sigmoid:
            terms.losses = log_sigmoid_loss(terms.margins, options.label_smoothing);
            break;
        case CpoForm::hinge:
            terms.losses = at::relu(1 - terms.margins);  // relu: no gradient where the margin is 1 exactly
            break;
        case CpoForm::ipo:
            terms.losses = at::square(chosen_average(logprobs) - rejected_average(logprobs) - 1 / (2 * options.beta));
            break;
    }
    return terms;
}

}  // namespace craft
