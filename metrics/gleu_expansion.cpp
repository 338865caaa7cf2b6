#include "metrics/gleu_expansion.h"

#include <algorithm>
#include <cmath>

namespace craft {

GleuExpectation expected_gleu(const GleuCounts& common, const GleuMoments& moments) {
    const double c = static_cast<double>(common.prediction_length), r = moments.mean[0];
    if (c <= 0 || r <= 0) return {};
    // With g the logarithm of GLEU: its gradient, and its second derivatives, of which only those on the diagonal are not 0.
    std::array<double, kGleuVariables> gradient{}, second{};
    gradient[0] = r > c ? -1 / c : 0;
    double logarithm = std::min(0.0, 1 - r / c);
    for (size_t n = 0; n < kGleuOrder; ++n) {
        const double matches = moments.mean[n + 1], total = static_cast<double>(common.totals[n]);
        if (matches <= 0 || total <= 0) return {};
        logarithm += std::log(matches / total) / kGleuOrder;
        gradient[n + 1] = 1 / (kGleuOrder * matches);
        second[n + 1] = -1 / (kGleuOrder * matches * matches);
    }
    double slopes = 0, curvature = 0;
    for (size_t i = 0; i < kGleuVariables; ++i) {
        for (size_t j = 0; j < kGleuVariables; ++j) slopes += gradient[i] * gradient[j] * moments.covariance[i][j];
        curvature += second[i] * moments.covariance[i][i];
    }
    // The second derivatives of exp(g) are exp(g) (g_i g_j + g_ij).
    const double value = std::exp(logarithm);
    return {.mean = std::clamp(value * (1 + (slopes + curvature) / 2), 0.0, 1.0),
            .deviation = value * std::sqrt(std::max(0.0, slopes))};
}

}  // namespace craft
