// Metrics of texts that are brought into one form first.
#pragma once

#include <memory>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

// The metric, given source, prediction and references as text/treebank_detokenizer.h writes them: EditEval's default for
// most of its data sets. The end of the signature says so, after the metric's own. `none` is the metric as it is.
std::unique_ptr<Metric> normalized(std::unique_ptr<Metric> metric, TextNormalizer normalizer);

}  // namespace craft
