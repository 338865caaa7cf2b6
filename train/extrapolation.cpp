#include "train/extrapolation.h"

#include <algorithm>
#include <stdexcept>

namespace craft {

namespace {

constexpr int64_t ProbePoint::*kDirections[] = {&ProbePoint::plain_layers, &ProbePoint::recomputed_layers,
                                                &ProbePoint::vocabulary};

void add_growth(ProbeFigures& sum, const ProbeFigures& first, const ProbeFigures& larger, double factor) {
    const auto add = [&](double& value, double from, double to) { value += std::max(0.0, to - from) * factor; };
    add(sum.batch_peak, first.batch_peak, larger.batch_peak);
    add(sum.update_peak, first.update_peak, larger.update_peak);
    add(sum.update_seconds, first.update_seconds, larger.update_seconds);
    for (size_t i = 0; i < sum.batch_seconds.size(); ++i)
        add(sum.batch_seconds[i], first.batch_seconds[i], larger.batch_seconds[i]);
}

}  // namespace

ProbeFigures extrapolated(const std::vector<ProbedPoint>& probed, const ProbePoint& target) {
    const ProbedPoint& first = probed.at(0);
    ProbeFigures figures = first.figures;
    for (int64_t ProbePoint::*const direction : kDirections) {
        const int64_t missing = target.*direction - first.point.*direction;
        if (missing == 0) continue;
        const auto larger = std::find_if(probed.begin() + 1, probed.end(), [&](const ProbedPoint& other) {
            return other.point.*direction > first.point.*direction;
        });
        if (larger == probed.end()) throw std::logic_error("no probe shows how a direction grows");
        add_growth(figures, first.figures, larger->figures,
                   static_cast<double>(missing) / static_cast<double>(larger->point.*direction - first.point.*direction));
    }
    return figures;
}

std::vector<ProbePoint> probe_points(const ProbePoint& target, int64_t period, int64_t most_layers,
                                     int64_t most_vocabulary) {
    ProbePoint first = target;
    const bool few_layers = target.layers() > most_layers, few_tokens = target.vocabulary > most_vocabulary;
    if (few_layers) {
        first.plain_layers = std::min(target.plain_layers, period);
        first.recomputed_layers = std::min(target.recomputed_layers, period);
    }
    if (few_tokens) first.vocabulary = most_vocabulary / 2;
    std::vector<ProbePoint> points = {first};
    for (int64_t ProbePoint::*const layers : {&ProbePoint::plain_layers, &ProbePoint::recomputed_layers}) {
        if (target.*layers <= first.*layers) continue;
        const int64_t spare = std::max(period, (most_layers - first.layers()) / period * period);
        ProbePoint more = first;
        more.*layers += std::min(spare, target.*layers - first.*layers);
        points.push_back(more);
    }
    if (few_tokens) {
        points.push_back(first);
        points.back().vocabulary = most_vocabulary;
    }
    return points;
}

}  // namespace craft
