#include "view/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace craft {

std::string sparkline(const std::vector<double>& values, size_t columns) {
    static constexpr std::array<const char*, 8> kBlocks = {"\u2581", "\u2582", "\u2583", "\u2584",
                                                           "\u2585", "\u2586", "\u2587", "\u2588"};
    const size_t count = std::min(values.size(), columns);
    std::vector<double> means;
    for (size_t i = 0; i < count; ++i) {
        double sum = 0, finite = 0;
        for (size_t k = i * values.size() / count; k < (i + 1) * values.size() / count; ++k) {
            if (!std::isfinite(values[k])) continue;
            sum += values[k];
            ++finite;
        }
        means.push_back(finite > 0 ? sum / finite : std::numeric_limits<double>::quiet_NaN());
    }
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double mean : means) {
        if (std::isnan(mean)) continue;
        low = std::min(low, mean);
        high = std::max(high, mean);
    }
    std::string line;
    for (const double mean : means) {
        if (std::isnan(mean)) {
            line += ' ';
            continue;
        }
        const double share = high > low ? (mean - low) / (high - low) : 0;
        line += kBlocks.at(std::min<size_t>(7, static_cast<size_t>(share * 8)));
    }
    return line;
}

}  // namespace craft
