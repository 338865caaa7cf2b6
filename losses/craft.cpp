// CRAFT Eq. 2: SimPO with the negative log-likelihood of the preferred response. Sum or token mean is the caller's divisor.
#include "losses/pair_terms.h"

namespace craft {

PairTerms craft_terms(const LossOptions& options, const PairLogprobs& logprobs) {
    PairTerms terms = simpo_terms(options, logprobs);
    terms.nll_weight = 1;
    return terms;
}

}  // namespace craft
