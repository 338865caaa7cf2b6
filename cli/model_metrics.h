// The metrics of `eval metric` that need more than texts: a model of ours, or a program of somebody else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "core/process/json_command.h"
#include "judge/scorers/bartscore.h"
#include "metrics/metric.h"
#include "metrics/options.h"

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
};

std::vector<std::string> model_metric_names();  // in alphabetical order
bool is_model_metric(const std::string& name);

void bind_model_metrics(OptionTable& table, ModelMetricOptions& options);
// Adds a problem for each option that `metric`, which may be any metric, does not use, and for those that it needs and
// lacks.
void check_model_metrics(OptionTable& table, const std::string& metric, const MetricOptions& of_texts);
using MetricMaker = std::function<std::unique_ptr<Metric>()>;
// Opens the metric's model once, on the device that the common options name, for any number of metrics that use it one after
// the other. Throws UsageError on a layer that the model does not have, Error as models, tokenizers and baselines do.
MetricMaker open_model_metric(const std::string& name, const ModelMetricOptions& options, const MetricOptions& of_texts,
                              const CommonOptions& common);

}  // namespace craft
