#include "eval/editeval/statistics.h"

#include <algorithm>
#include <cmath>

namespace craft {

// Values are sorted before they are added up, so that a sum's last digit is the same whatever their order was.
double mean_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

std::optional<Spread> spread_of(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    std::sort(values.begin(), values.end());
    Spread spread = {.mean = mean_of(values), .max = values.back(), .min = values.front(), .cv = std::nullopt};
    double squares = 0;
    for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
    // Equal values differ from their rounded mean in the last digit.
    const double deviation = spread.max == spread.min ? 0 : std::sqrt(squares / static_cast<double>(values.size()));
    if (spread.mean != 0) spread.cv = 100 * deviation / spread.mean;
    return spread;
}

std::optional<double> pearson(std::vector<std::pair<double, double>> pairs) {
    if (pairs.size() < 2) return std::nullopt;
    std::sort(pairs.begin(), pairs.end());
    std::vector<double> first, second;
    for (const auto& [x, y] : pairs) {
        first.push_back(x);
        second.push_back(y);
    }
    const auto varies = [](const std::vector<double>& values) {
        return std::any_of(values.begin(), values.end(), [&](double value) { return value != values[0]; });
    };
    if (!varies(first) || !varies(second)) return std::nullopt;
    const double mean_x = mean_of(first), mean_y = mean_of(second);
    double xx = 0, yy = 0, xy = 0;
    for (const auto& [x, y] : pairs) {
        xx += (x - mean_x) * (x - mean_x);
        yy += (y - mean_y) * (y - mean_y);
        xy += (x - mean_x) * (y - mean_y);
    }
    return std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
}

BoxNumbers box_numbers_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        const double place = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<size_t>(place);
        const size_t above = std::min(below + 1, values.size() - 1);
        return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
    };
    BoxNumbers box = {.lower = at(.25), .median = at(.5), .upper = at(.75)};
    const double reach = 1.5 * (box.upper - box.lower);
    const auto is_within = [&](double value) { return value >= box.lower - reach && value <= box.upper + reach; };
    // A quartile may lie between two values, of which the outer one is an outlier: no whisker ends within the box.
    box.lower_whisker = box.lower;
    box.upper_whisker = box.upper;
    for (const double value : values) {
        if (!is_within(value)) {
            box.outliers.push_back(value);
            continue;
        }
        box.lower_whisker = std::min(box.lower_whisker, value);
        box.upper_whisker = std::max(box.upper_whisker, value);
    }
    return box;
}

}  // namespace craft
