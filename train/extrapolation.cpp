#include "train/extrapolation.h"

#include <algorithm>
#include <stdexcept>

namespace craft {

namespace {

constexpr int64_t ProbePoint::*kDirections[] = {&ProbePoint::plain_layers, &ProbePoint::recomputed_layers,
                                                &ProbePoint::vocabulary};

int64_t rounded_up(int64_t count, int64_t period) {
    return (count + period - 1) / period * period;
}

// What `steps` units more take, as `larger` shows, which has `shown` units more than `first`; `least` bytes a unit.
void add_growth(ProbeFigures& sum, const ProbeFigures& first, const ProbeFigures& larger, double steps, double shown,
                double least) {
    const auto add = [&](double& value, double from, double to, double at_least) {
        value += std::max(at_least, (to - from) / shown) * steps;
    };
    add(sum.batch_peak, first.batch_peak, larger.batch_peak, least);
    add(sum.update_peak, first.update_peak, larger.update_peak, least);
    add(sum.update_seconds, first.update_seconds, larger.update_seconds, 0);
    for (size_t i = 0; i < sum.batch_seconds.size(); ++i)
        add(sum.batch_seconds[i], first.batch_seconds[i], larger.batch_seconds[i], 0);
}

}  // namespace

ProbeFigures extrapolated(const std::vector<ProbedPoint>& probed, const ProbePoint& target, const MinGrowth& least) {
    const ProbedPoint& first = probed.at(0);
    ProbeFigures figures = first.figures;
    for (int64_t ProbePoint::*const direction : kDirections) {
        const int64_t missing = target.*direction - first.point.*direction;
        if (missing == 0) continue;
        const auto larger = std::find_if(probed.begin() + 1, probed.end(), [&](const ProbedPoint& other) {
            return other.point.*direction > first.point.*direction;
        });
        if (larger == probed.end()) throw std::logic_error("no probe shows how a direction grows");
        const double bytes = direction == &ProbePoint::plain_layers        ? least.plain
                             : direction == &ProbePoint::recomputed_layers ? least.recomputed
                                                                           : 0;
        add_growth(figures, first.figures, larger->figures, static_cast<double>(missing),
                   static_cast<double>(larger->point.*direction - first.point.*direction), bytes);
    }
    return figures;
}

std::vector<ProbePoint> probe_points(const ProbePoint& target, int64_t period, const ProbeLimits& limits) {
    ProbePoint first = target;
    const bool few_layers = target.layers() > limits.max_layers, few_tokens = target.vocabulary > limits.max_vocabulary;
    if (few_layers) {
        first.plain_layers = std::min(target.plain_layers, rounded_up(limits.first_layers, period));
        first.recomputed_layers = std::min(target.recomputed_layers, period);
    }
    if (few_tokens) first.vocabulary = limits.max_vocabulary / 2;
    std::vector<ProbePoint> points = {first};
    for (int64_t ProbePoint::*const layers : {&ProbePoint::plain_layers, &ProbePoint::recomputed_layers}) {
        if (target.*layers <= first.*layers) continue;
        const int64_t least = layers == &ProbePoint::plain_layers ? rounded_up(limits.least_step, period) : period;
        const int64_t spare = std::max(least, (limits.max_layers - first.layers()) / period * period);
        ProbePoint more = first;
        more.*layers += std::min(spare, target.*layers - first.*layers);
        points.push_back(more);
    }
    if (few_tokens) {
        points.push_back(first);
        points.back().vocabulary = limits.max_vocabulary;
    }
    return points;
}

}  // namespace craft
