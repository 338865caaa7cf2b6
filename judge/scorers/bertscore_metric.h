// BERTScore as a metric of revised texts (metrics/metric.h).
#pragma once

#include <memory>
#include <string>

#include "judge/scorers/bertscore.h"
#include "judge/scorers/model_signature.h"
#include "metrics/metric.h"

namespace craft {

// What else the figures depend on, by its hash (core/files.h); empty: there is none.
struct BertScoreFiles {
    std::string baseline;   // that figures are rescaled by
    std::string documents;  // in which document frequencies are counted, where they are not the items' references
};

// The main figure is F1, of items and as their mean; precision and recall stand beside it. All items that are given at once
// have their references counted for document frequencies. Measuring throws as BertScorer::score() does.
std::unique_ptr<Metric> bertscore_metric(std::shared_ptr<const BertScorer> scorer, const ModelSignature& model,
                                         const BertScoreFiles& files = {});

}  // namespace craft
