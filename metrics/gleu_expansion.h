// The mean of GLEU over random counts, from their means and covariances.
#pragma once

#include <array>

#include "metrics/gleu.h"

namespace craft {

// The reference's length and the matches of order 1 to 4, the counts that hang on which reference is drawn.
constexpr size_t kGleuVariables = 1 + kGleuOrder;
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

}  // namespace craft
