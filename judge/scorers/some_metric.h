// SOME as a metric of revised texts (metrics/metric.h).
#pragma once

#include <memory>

#include "judge/scorers/model_signature.h"
#include "judge/scorers/some.h"
#include "metrics/metric.h"

namespace craft {

// The corpus figure is the mean of the items', on 0 to 1; grammaticality, fluency and meaning stand beside it. Measuring
// throws as SomeScorer::figures() does.
std::unique_ptr<Metric> some_metric(std::shared_ptr<const SomeScorer> scorer, const ModelSignature& model);

}  // namespace craft
