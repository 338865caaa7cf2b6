// Exact match: 1 where the prediction is one of the references, else 0 (EditEval's `em`, commit 013cd20).
#pragma once

#include <memory>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

// Bytes are compared as they stand; the corpus figure is the mean, 0-1. Needs prediction and references.
std::unique_ptr<Metric> make_exact_match(const MetricOptions& options);

}  // namespace craft
