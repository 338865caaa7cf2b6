// BARTScore of predictions with their sources, or with references, as a metric of revised texts (metrics/metric.h).
#pragma once

#include <memory>

#include "judge/scorers/bartscore.h"
#include "judge/scorers/model_signature.h"
#include "metrics/metric.h"

namespace craft {

// The corpus figure is the mean of the items'. At most 0, more is better. With `references` each item has at least one, and
// its figure is the mean over them, each in the source's place (neulab/BARTScore's multi_ref_score). In both directions
// these stand beside the figure. Measuring throws as BartScorer::figures() does.
std::unique_ptr<Metric> bartscore_metric(std::shared_ptr<const BartScorer> scorer, const ModelSignature& model,
                                         bool references = false);

}  // namespace craft
