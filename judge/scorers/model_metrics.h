// The metrics of `eval metric` that need more than texts: a local model, or a program of somebody else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/process/json_command.h"
#include "judge/scorers/bartscore.h"
#include "metrics/metric.h"
#include "metrics/options.h"
#include "model/kernels/placement.h"

namespace craft {

struct ModelMetricOptions {
    std::filesystem::path model;   // bertscore: an encoder; perplexity: a decoder; bartscore: an encoder-decoder; some: a
                                   // folder of three regressors
    std::optional<int64_t> layer;  // bertscore: whose states are compared, 0 is the embeddings; absent: the last
    bool idf = false;              // bertscore: tokens weigh by their document frequencies in the references
    std::filesystem::path
        idf_from;  // bertscore: file of items in whose references these are counted; empty: the input's own
    std::filesystem::path baseline;                              // bertscore: file of baselines to rescale by; empty: none
    bool grammaticality = false;                                 // some: that regressor alone
    BartScoreDirection direction = BartScoreDirection::forward;  // bartscore
    std::string against = "source";                              // bartscore: or "references"
    int64_t batch_tokens = 4096;                                 // of one pass of a model
    JsonCommandOptions scorer;                                   // lens: the command that computes it
    Ranks* ranks = &Ranks::alone();                              // share what a model computes
};

using MetricMaker = std::function<std::unique_ptr<Metric>()>;

struct ModelMetric {
    std::string name;
    std::vector<std::string> options;        // keys of ModelMetricOptions that it uses
    std::string needed;                      // one of them that it cannot do without
    std::vector<std::string> of_texts = {};  // keys of MetricOptions that it uses, beside `normalize`
    MetricMaker (*open)(const ModelMetricOptions& options, const MetricOptions& of_texts, const PlacementOptions& placing);
};
const std::vector<ModelMetric>& model_metrics();                // in alphabetical order
const ModelMetric* find_model_metric(const std::string& name);  // null: it needs no model
std::vector<std::string> model_metric_names();
bool is_model_metric(const std::string& name);

// Opens the metric's model once, where it is placed, for any number of metrics that use it one after the other. Throws
// UsageError on a layer that the model does not have and as open_placement() does, Error as models, tokenizers and baselines
// do.
MetricMaker open_model_metric(const std::string& name, const ModelMetricOptions& options, const MetricOptions& of_texts,
                              const PlacementOptions& placing);

}  // namespace craft
