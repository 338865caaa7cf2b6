// CPO-SimPO: SimPO with CPO's anchor.
#include "losses/pair_terms.h"

namespace craft {

PairTerms cpo_simpo_terms(const LossOptions& options, const PairLogprobs& logprobs) {
    PairTerms terms = simpo_terms(options, logprobs);
    terms.nll_weight = options.alpha;
    return terms;
}

}  // namespace craft
