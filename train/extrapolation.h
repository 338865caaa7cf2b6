// From decoders that are smaller than the model to the model: what training costs grows linearly with layers and vocabulary.
#pragma once

#include <vector>

#include "train/probe.h"

namespace craft {

struct ProbedPoint {
    ProbePoint point;
    ProbeFigures figures;
};

// The figures at `target`, from a first probe and others, each of which is larger than the first in one of plain layers,
// recomputed layers and vocabulary. Where a larger probe measured less, noise did: that direction adds nothing. Throws
// std::logic_error if no probe shows how a direction grows in which the target is beyond the first.
ProbeFigures extrapolated(const std::vector<ProbedPoint>& probed, const ProbePoint& target);

// The probes for a target: the target alone where it has at most `most_layers` and `most_vocabulary`, else a first one and
// one more for each direction in which the target is larger. Layers of one kind come by whole `period`s (of windows that
// alternate); `most_layers` is raised to what the least of probes needs.
std::vector<ProbePoint> probe_points(const ProbePoint& target, int64_t period, int64_t most_layers, int64_t most_vocabulary);

}  // namespace craft
