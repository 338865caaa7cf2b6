#include "train/reward_agreement.h"

#include <cmath>

namespace craft {

namespace {

// n times the variance, of sums of values and of their squares; absent where rounding alone makes it differ from 0.
std::optional<double> spread_of(double pairs, double sum, double squares) {
    const double spread = squares - sum * sum / pairs;
    return spread > 1e-12 * squares ? std::optional(spread) : std::nullopt;
}

}  // namespace

void RewardAgreement::add(double margin_of_pair, double gap_of_pair) {
    pairs += 1;
    agreeing += margin_of_pair * gap_of_pair > 0 ? 1 : 0;
    margin += margin_of_pair;
    gap += gap_of_pair;
    margin_squares += margin_of_pair * margin_of_pair;
    gap_squares += gap_of_pair * gap_of_pair;
    products += margin_of_pair * gap_of_pair;
}

std::optional<double> RewardAgreement::share() const {
    return pairs > 0 ? std::optional(agreeing / pairs) : std::nullopt;
}

std::optional<double> RewardAgreement::correlation() const {
    if (pairs == 0) return std::nullopt;
    const auto of_margins = spread_of(pairs, margin, margin_squares), of_gaps = spread_of(pairs, gap, gap_squares);
    if (!of_margins || !of_gaps) return std::nullopt;
    return (products - margin * gap / pairs) / std::sqrt(*of_margins * *of_gaps);
}

}  // namespace craft
