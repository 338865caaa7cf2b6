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

// Mean and standard deviation of gleu(), unsmoothed, by its Taylor expansion about the expected counts: of second order for the
// mean, of first order for the deviation (the delta method). `common` holds the prediction's length and n-gram totals. The brevity
// penalty is expanded on the side of its kink on which the expected length lies.
GleuExpectation expected_gleu(const GleuCounts& common, const GleuMoments& moments);

}  // namespace craft
