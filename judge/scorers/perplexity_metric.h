// Perplexity of predictions as a metric of revised texts (metrics/metric.h).
#pragma once

#include <memory>

#include "judge/scorers/model_signature.h"
#include "judge/scorers/perplexity.h"
#include "metrics/metric.h"

namespace craft {

// exp(sum nll / sum tokens), of an item over its sentences and of the corpus over those of all items (CRAFT App. D.3);
// `mean` is the mean of the items' figures. From 1 on, less is better. An item without tokens has no figure. Measuring
// throws Error where the model's probabilities are not numbers.
std::unique_ptr<Metric> perplexity_metric(std::shared_ptr<const PerplexityScorer> scorer, const ModelSignature& model);

}  // namespace craft
