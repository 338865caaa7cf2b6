// BARTScore from source to prediction as a metric of revised texts (metrics/metric.h).
#pragma once

#include <memory>

#include "judge/scorers/bartscore.h"
#include "judge/scorers/model_signature.h"
#include "metrics/metric.h"

namespace craft {

// The corpus figure is the mean of the items'. At most 0, more is better. Measuring throws as BartScorer::figures() does.
std::unique_ptr<Metric> bartscore_metric(std::shared_ptr<const BartScorer> scorer, const ModelSignature& model);

}  // namespace craft
