// Whether a preference loss orders pairs as their rewards do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace craft {

// Sums over pairs of which both the loss's margin and the gap of the rewards are known; sums over disjoint shares add up.
struct RewardAgreement {
    double pairs = 0, agreeing = 0;  // agreeing: margin and gap have the same sign, which is not 0
    double margin = 0, gap = 0, margin_squares = 0, gap_squares = 0, products = 0;

    void add(double margin_of_pair, double gap_of_pair);
    // The share of the pairs that agree; absent without pairs.
    std::optional<double> share() const;
    // Pearson's correlation of margins with gaps; absent where one of them is the same for all pairs.
    std::optional<double> correlation() const;
};

// All of its sums, for whoever adds them up.
inline constexpr std::array kAgreementSums = {
    &RewardAgreement::pairs,          &RewardAgreement::agreeing,    &RewardAgreement::margin,  &RewardAgreement::gap,
    &RewardAgreement::margin_squares, &RewardAgreement::gap_squares, &RewardAgreement::products};

}  // namespace craft
