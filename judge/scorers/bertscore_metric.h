// BERTScore as a metric of revised texts (metrics/metric.h).
#pragma once

#include <memory>
#include <string>

#include "judge/scorers/bertscore.h"
#include "judge/scorers/model_signature.h"
#include "metrics/metric.h"

namespace craft {

// The main figure is F1, of items and as their mean; precision and recall stand beside it. With document frequencies all
// items given at once are the documents. `baseline` names the baseline of the scorer's options (a hash); empty: there is
// none. Measuring throws as BertScorer::score() does.
std::unique_ptr<Metric> bertscore_metric(std::shared_ptr<const BertScorer> scorer, const ModelSignature& model,
                                         const std::string& baseline);

}  // namespace craft
