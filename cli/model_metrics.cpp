#include "cli/model_metrics.h"

#include <algorithm>

#include "cli/common.h"
#include "text/lists.h"

namespace craft {

namespace {

bool has_key(const std::vector<std::string>& keys, const std::string& key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// The metrics that use an option of ModelMetricOptions.
std::vector<std::string> users_of(const std::string& key) {
    std::vector<std::string> users;
    for (const ModelMetric& metric : model_metrics())
        if (has_key(metric.options, key)) users.push_back(metric.name);
    return users;
}

}  // namespace

void bind_model_metrics(OptionTable& table, ModelMetricOptions& o) {
    const auto group = table.group("Metrics with a model");
    const size_t before = table.options().size();
    bind_model(
        table, "model", o.model,
        "bertscore: an encoder; perplexity: a decoder; bartscore: an encoder-decoder; some: a folder of three regressors")
        .flag("--model");
    table.add("layer", o.layer, "bertscore: layer whose states are compared; 0: the embeddings; none: the last")
        .flag("--layer")
        .min(0);
    table.add("idf", o.idf, "bertscore: weigh tokens by their document frequencies in the references").flag("--idf");
    table
        .add("idf_from", o.idf_from,
             "bertscore: {\"references\":[...]} per line, to count document frequencies in; empty: the input's")
        .flag("--idf-from");
    table.add("baseline", o.baseline, "bertscore: baselines for rescaling, LAYER,P,R,F per line; empty: no rescaling")
        .flag("--baseline")
        .input();
    table.add("grammaticality", o.grammaticality, "some: only the grammaticality regressor, as in CRAFT's released code")
        .flag("--grammaticality");
    table
        .add_enum<BartScoreDirection>("direction", o.direction,
                                      {{"forward", BartScoreDirection::forward},
                                       {"backward", BartScoreDirection::backward},
                                       {"f", BartScoreDirection::f}},
                                      "bartscore: of the prediction given the source, the reverse, or the mean of both")
        .flag("--direction");
    table
        .add("against", o.against,
             "bartscore: what the prediction is compared with; with references, forward is precision and backward recall")
        .flag("--against")
        .one_of({"source", "references"});
    table.add("batch_tokens", o.batch_tokens, "metrics with a model: tokens per batch").flag("--batch-tokens").min(1);
    table
        .add("scorer", o.scorer.command,
             "lens: a shell command that reads {\"id\",\"source\",\"prediction\",\"references\"} per line and writes "
             "{\"id\",\"score\"} in the same order, optionally with \"scorer\" (its name) and \"scale\" ([lowest,highest])")
        .flag("--scorer");
    table.add("timeout", o.scorer.timeout_seconds, "lens: seconds without an answer before the command is killed")
        .flag("--timeout")
        .min(0.1);
    table.add("restarts", o.scorer.restarts, "lens: restarts of a command that exits").min(0);
    for (Option& option : table.added_since(before)) option.needs({"metric", users_of(option.key)});
    for (const ModelMetric& metric : model_metrics()) table.at(metric.needed).required_with({"metric", {metric.name}});
}

void check_model_metrics(OptionTable& table, const std::string& name, const MetricOptions& of_texts) {
    const ModelMetric* metric = find_model_metric(name);
    if (metric == nullptr) return;
    for (const std::string& key : given_options(of_texts)) {
        if (key == "normalize" || has_key(metric->of_texts, key)) continue;
        std::vector<std::string> used;
        for (const auto& known : {metric->options, metric->of_texts}) used.insert(used.end(), known.begin(), known.end());
        table.add_problem(table.at(key).shown_name() + ": expected one of " + join(used, ", ") + " with " + name +
                          ", which does not use this one");
    }
    if (of_texts.sentences == SentenceUnit::line && has_key(metric->of_texts, "sentences"))
        table.add_problem("--sentences: expected icu or none (the paper's rule) with " + name + ", got line");
}

}  // namespace craft
