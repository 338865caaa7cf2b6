#include "metrics/gleu_expansion.h"

#include <algorithm>
#include <cmath>

namespace craft {

namespace {

constexpr int kSteps = 4000;  // of the integral
constexpr double kReach = 8;  // in standard deviations: beyond lie 1e-15 of a normal distribution

// Expected value of the geometric mean of precisions to the given power, where the matches have these means and, for a given
// length of the reference, covariances.
double expected_precision(const GleuCounts& common, const std::array<double, kGleuOrder>& means,
                          const std::array<std::array<double, kGleuOrder>, kGleuOrder>& covariances, double power) {
    std::array<double, kGleuOrder> slope{};
    double logarithm = 0, second_order = 0;
    for (size_t n = 0; n < kGleuOrder; ++n) {
        if (means[n] <= 0) return 0;
        logarithm += std::log(means[n] / static_cast<double>(common.totals[n])) * power / kGleuOrder;
        slope[n] = power / (kGleuOrder * means[n]);
        second_order -= slope[n] / means[n] * covariances[n][n];
    }
    for (size_t n = 0; n < kGleuOrder; ++n)
        for (size_t m = 0; m < kGleuOrder; ++m) second_order += slope[n] * slope[m] * covariances[n][m];
    return std::exp(logarithm) * std::max(0.0, 1 + second_order / 2);
}

}  // namespace

GleuVariables gleu_variables(const GleuCounts& counts) {
    GleuVariables variables{counts.reference_length};
    for (size_t n = 0; n < kGleuOrder; ++n) variables[n + 1] = counts.matches[n];
    return variables;
}

GleuExpectation expected_gleu(const GleuCounts& common, const GleuMoments& moments) {
    const double c = static_cast<double>(common.prediction_length), r = moments.mean[0];
    if (c <= 0 || r <= 0 || std::count(common.totals.begin(), common.totals.end(), 0) > 0) return {};
    const double variance = moments.covariance[0][0], deviation = std::sqrt(variance);
    std::array<double, kGleuOrder> means{}, follows{};  // follows: how matches change with the length, by regression
    std::array<std::array<double, kGleuOrder>, kGleuOrder> covariances{};
    for (size_t n = 0; n < kGleuOrder; ++n) {
        follows[n] = variance > 0 ? moments.covariance[n + 1][0] / variance : 0;
        for (size_t m = 0; m < kGleuOrder; ++m) {
            const double explained = variance > 0 ? follows[n] * moments.covariance[m + 1][0] : 0;
            covariances[n][m] = moments.covariance[n + 1][m + 1] - explained;
        }
    }
    double weights = 0, first = 0, second = 0;
    for (int step = -kSteps; step <= kSteps; ++step) {
        const double z = kReach * step / kSteps, weight = std::exp(-z * z / 2), length = r + z * deviation;
        for (size_t n = 0; n < kGleuOrder; ++n) means[n] = moments.mean[n + 1] + follows[n] * z * deviation;
        const double penalty = std::min(0.0, 1 - length / c);
        weights += weight;
        first += weight * std::exp(penalty) * expected_precision(common, means, covariances, 1);
        second += weight * std::exp(2 * penalty) * expected_precision(common, means, covariances, 2);
    }
    const double mean = std::clamp(first / weights, 0.0, 1.0);
    return {.mean = mean, .deviation = std::sqrt(std::max(0.0, second / weights - mean * mean))};
}

std::array<double, kGleuMomentCounts> gleu_moment_counts(std::span<const GleuVariables> references) {
    std::array<double, kGleuMomentCounts> counts{};
    GleuVariables sums{};
    for (const GleuVariables& reference : references)
        for (size_t v = 0; v < kGleuVariables; ++v) sums[v] += reference[v];
    size_t at = 0;
    for (const int64_t sum : sums) counts[at++] = static_cast<double>(sum);
    const auto count = static_cast<int64_t>(references.size());
    for (size_t v = 0; v < kGleuVariables; ++v) {
        for (size_t w = 0; w <= v; ++w) {
            int64_t products = 0;
            for (const auto& reference : references) products += reference[v] * reference[w];
            counts[at++] = static_cast<double>(count * products - sums[v] * sums[w]);
        }
    }
    return counts;
}

void add_moments(std::span<const double> sums, size_t references, GleuMoments& moments) {
    const auto count = static_cast<double>(references);
    size_t at = 0;
    for (double& mean : moments.mean) mean += sums[at++] / count;
    for (size_t v = 0; v < kGleuVariables; ++v) {
        for (size_t w = 0; w <= v; ++w) {
            const double covariance = sums[at++] / (count * count);
            moments.covariance[v][w] += covariance;
            if (w != v) moments.covariance[w][v] += covariance;
        }
    }
}

}  // namespace craft
