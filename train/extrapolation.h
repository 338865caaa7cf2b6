// From decoders that are smaller than the model to the model: what training costs grows linearly with layers and vocabulary.
#pragma once

#include <vector>

#include "train/probe.h"

namespace craft {

struct ProbedPoint {
    ProbePoint point;
    ProbeFigures figures;
};

// Bytes that a layer of each kind takes at least: its weights, what they are trained with, and its input.
struct MinGrowth {
    double plain = 0, recomputed = 0;
};

// The figures at `target`, from a first probe and others, each of which is larger than the first in one of plain layers,
// recomputed layers and vocabulary. Where a larger probe measured less, noise did: what is least counts. Throws
// std::logic_error if no probe shows how a direction grows in which the target is beyond the first.
ProbeFigures extrapolated(const std::vector<ProbedPoint>& probed, const ProbePoint& target, const MinGrowth& least = {});

struct ProbeLimits {
    int64_t max_layers = 1, max_vocabulary = 1;  // the target is probed itself where it has no more
    // Plain layers that the first probe has, and that the next has beyond it, at least where the target has them: enough to
    // be seen beside what is taken once.
    int64_t first_layers = 1, least_step = 1;
};
// The probes for a target: itself alone, or a first one and one more for each direction in which the target is larger.
// Layers of one kind come by whole `period`s (of windows that alternate).
std::vector<ProbePoint> probe_points(const ProbePoint& target, int64_t period, const ProbeLimits& limits);

}  // namespace craft
