// Two pairs whose averages, gaps and margins are small round numbers, for the tests of losses/.
//   pair 0: chosen -2 over 4 tokens (-0.5 each), rejected -3 over 2 (-1.5 each): gap of averages  1
//   pair 1: chosen -6 over 3 tokens (-2 each),   rejected -1 over 1 (-1 each):   gap of averages -1
// The reference gave -2.5 and -2.5, and -5 and -2: since then chosen and rejected have changed by 0.5 and -0.5, and -1
// and 1.
#pragma once

#include <torch/types.h>

#include "losses/losses.h"

namespace craft::test {

inline at::Tensor row(std::vector<double> values, bool gradient = false) {
    return torch::tensor(values, at::kDouble).requires_grad_(gradient);
}

inline PairLogprobs two_pairs(bool gradient = false) {
    return {row({-2, -6}, gradient), row({4, 3}), row({-3, -1}, gradient), row({2, 1}), row({-2.5, -5}), row({-2.5, -2})};
}

inline LossOptions options_of(LossName name, double beta, double gamma) {
    LossOptions options = default_loss_options(name);
    options.beta = beta;
    options.gamma = gamma;
    return options;
}

inline double value(const at::Tensor& scalar) {
    return scalar.item<double>();
}

}  // namespace craft::test
