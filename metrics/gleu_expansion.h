// The mean of GLEU over random counts, from their means and covariances.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "metrics/gleu.h"

namespace craft {

// What hangs on which reference is drawn: the reference's length and the matches of order 1 to 4.
constexpr size_t kGleuVariables = 1 + kGleuOrder;
using GleuVariables = std::array<int64_t, kGleuVariables>;
GleuVariables gleu_variables(const GleuCounts& counts);

struct GleuMoments {
    std::array<double, kGleuVariables> mean{};
    std::array<std::array<double, kGleuVariables>, kGleuVariables> covariance{};
};

struct GleuExpectation {
    double mean = 0, deviation = 0;
};

// Mean and standard deviation of gleu(), unsmoothed, over counts that are sums of many independent ones and so nearly
// normal. The brevity penalty has a kink where the lengths are equal, so the reference's length is integrated over; given
// it, the precisions are expanded to second order about the expected matches. `common` holds the prediction's length and
// n-gram totals.
GleuExpectation expected_gleu(const GleuCounts& common, const GleuMoments& moments);

// What an item with R references, each as likely, adds to the moments of a corpus: R times the means, and R R times the
// covariances (of pairs v >= w). These are whole numbers, which add up without rounding.
constexpr size_t kGleuMomentCounts = kGleuVariables + kGleuVariables * (kGleuVariables + 1) / 2;
std::array<double, kGleuMomentCounts> gleu_moment_counts(std::span<const GleuVariables> references);
// Adds the moments of such sums over items with R references.
void add_moments(std::span<const double> sums, size_t references, GleuMoments& moments);

}  // namespace craft
