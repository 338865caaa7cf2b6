#include "train/figures_sum.h"

#include <torch/types.h>

#include <array>
#include <csignal>

#include "core/signals.h"

namespace craft {

namespace {

constexpr std::array kOptional = {&BatchFigures::sft_loss,      &BatchFigures::preference_loss, &BatchFigures::chosen_logp,
                                  &BatchFigures::rejected_logp, &BatchFigures::margin,          &BatchFigures::accuracy,
                                  &BatchFigures::entropy,       &BatchFigures::token_accuracy};

}  // namespace

int sum_figures(ProcessGroup& group, BatchFigures& figures) {
    if (group.size() == 1) return 0;
    const int signal = stop_signal();
    // An empty share gives no optional figure: each comes with the number of ranks that have it.
    std::vector<double> numbers = {signal == SIGTERM ? 1.0 : 0.0, signal != 0 && signal != SIGTERM ? 1.0 : 0.0, figures.loss,
                                   static_cast<double>(figures.tokens)};
    for (const auto member : kOptional) {
        numbers.push_back((figures.*member).value_or(0));
        numbers.push_back((figures.*member).has_value() ? 1 : 0);
    }
    const at::Tensor sums = at::tensor(numbers, at::kDouble);
    group.sum(sums);
    const double* sum = sums.const_data_ptr<double>();
    figures.loss = sum[2];
    figures.tokens = static_cast<int64_t>(sum[3]);
    for (size_t i = 0; i < kOptional.size(); ++i) {
        figures.*kOptional[i] = std::nullopt;
        if (sum[5 + 2 * i] > 0) figures.*kOptional[i] = sum[4 + 2 * i];
    }
    return sum[0] > 0 ? SIGTERM : sum[1] > 0 ? SIGINT : 0;
}

}  // namespace craft
