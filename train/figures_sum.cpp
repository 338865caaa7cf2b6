#include "train/figures_sum.h"

#include <torch/types.h>

#include <array>

#include "core/signals.h"

namespace craft {

namespace {

constexpr std::array kOptional = {&BatchFigures::sft_loss,      &BatchFigures::preference_loss, &BatchFigures::chosen_logp,
                                  &BatchFigures::rejected_logp, &BatchFigures::margin,          &BatchFigures::accuracy,
                                  &BatchFigures::entropy,       &BatchFigures::token_accuracy,  &BatchFigures::reward,
                                  &BatchFigures::reward_std,    &BatchFigures::clipped,         &BatchFigures::kl};

}  // namespace

int sum_figures(ProcessGroup& group, BatchFigures& figures) {
    if (group.size() == 1) return 0;
    const int signal = stop_signal();
    std::vector<double> numbers = {figures.loss, static_cast<double>(figures.tokens)};
    for (const int one : kStopSignals) numbers.push_back(one == signal ? 1 : 0);
    // An empty share gives no optional figure: each comes with the number of ranks that have it.
    for (const auto member : kOptional) {
        numbers.push_back((figures.*member).value_or(0));
        numbers.push_back((figures.*member).has_value() ? 1 : 0);
    }
    for (const auto member : kAgreementSums) numbers.push_back(figures.agreement.*member);
    const at::Tensor sums = at::tensor(numbers, at::kDouble);
    group.sum(sums);
    const double* sum = sums.const_data_ptr<double>();
    figures.loss = *sum++;
    figures.tokens = static_cast<int64_t>(*sum++);
    int first = 0;
    for (const int one : kStopSignals)
        if (*sum++ > 0 && first == 0) first = one;
    for (const auto member : kOptional) {
        const double value = *sum++, ranks = *sum++;
        figures.*member = ranks > 0 ? std::optional(value) : std::nullopt;
    }
    for (const auto member : kAgreementSums) figures.agreement.*member = *sum++;
    return first;
}

}  // namespace craft
