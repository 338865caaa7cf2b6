#include "cli/model_metrics.h"

#include <algorithm>

#include "cli/placement.h"
#include "core/rows.h"
#include "judge/scorers/bartscore_metric.h"
#include "judge/scorers/bertscore_metric.h"
#include "judge/scorers/perplexity_metric.h"
#include "judge/scorers/some_metric.h"
#include "metrics/external_metric.h"
#include "metrics/normalized.h"
#include "metrics/runner.h"
#include "model/spec/encoder_config.h"
#include "text/lists.h"

namespace craft {

namespace {

struct ModelMetric {
    std::string name;
    std::vector<std::string> options;        // keys of ModelMetricOptions that it uses
    std::string needed;                      // one of them that it cannot do without
    std::vector<std::string> of_texts = {};  // keys of MetricOptions that it uses, beside `normalize`
    MetricMaker (*open)(const ModelMetricOptions& options, const MetricOptions& of_texts, const CommonOptions& common);
};

ModelSignature signature_of(const std::filesystem::path& model, const Placement& place) {
    return {file_hash(model), to_json(place).at("dtype").get<std::string>()};
}

// The references of all items of a file, which need no ids and no other fields.
std::vector<std::string> references_in(const std::filesystem::path& file) {
    std::vector<std::string> all;
    for_each_row(file.string(), {}, [&](Json row, const std::string& where) {
        row["id"] = "-";
        const MetricItem item = read_metric_item(row, {.source = false, .prediction = false, .references = true}, where);
        all.insert(all.end(), item.references.begin(), item.references.end());
    });
    return all;
}

MetricMaker open_bertscore_metric(const ModelMetricOptions& o, const MetricOptions&, const CommonOptions& common) {
    const Placement place = open_placement(common);
    const int64_t layers = read_encoder_config(o.model).stack.layers;
    const int64_t layer = o.layer.value_or(layers);
    if (layer > layers)
        throw UsageError("--layer: expected at most the " + std::to_string(layers) + " layers of " + o.model.string() +
                         ", got " + std::to_string(layer));
    BertScoreOptions options{.idf = o.idf || !o.idf_from.empty(), .batch_tokens = o.batch_tokens};
    BertScoreFiles files;
    if (!o.baseline.empty()) {
        options.baseline = read_bertscore_baseline(o.baseline, layer);
        files.baseline = file_hash(o.baseline);
    }
    if (!o.idf_from.empty()) {
        options.documents = references_in(o.idf_from);
        files.documents = file_hash(o.idf_from);
    }
    const auto tokenizer = open_tokenizer(o.model);
    Encoder encoder = Encoder::load(o.model, place.dtype, place.device);
    encoder.keep_layers(layer);
    const auto scorer = std::make_shared<const BertScorer>(std::move(encoder), tokenizer, options);
    return [=, model = signature_of(o.model, place)] { return bertscore_metric(scorer, model, files); };
}

// CRAFT's own rule where nobody asks for another one.
SentenceRule sentence_rule(const MetricOptions& of_texts) {
    return of_texts.sentences == SentenceUnit::icu ? SentenceRule::icu : SentenceRule::paper;
}

MetricMaker open_bartscore_metric(const ModelMetricOptions& o, const MetricOptions& of_texts, const CommonOptions& common) {
    const Placement place = open_placement(common);
    const BartScoreOptions options{
        .batch_tokens = o.batch_tokens, .direction = o.direction, .sentences = sentence_rule(of_texts)};
    read_seq2seq_config(o.model);  // says what the folder is before anything is missed in it
    const auto tokenizer = open_tokenizer(o.model);
    Seq2Seq model = Seq2Seq::load(o.model, place.dtype, place.device);
    const auto scorer = std::make_shared<const BartScorer>(std::move(model), tokenizer, options);
    return [=, files = signature_of(o.model, place), references = o.against == "references"] {
        return bartscore_metric(scorer, files, references);
    };
}

MetricMaker open_some_metric(const ModelMetricOptions& o, const MetricOptions& of_texts, const CommonOptions& common) {
    const Placement place = open_placement(common);
    SomeOptions options{
        .grammaticality_alone = o.grammaticality, .batch_tokens = o.batch_tokens, .sentences = sentence_rule(of_texts)};
    SomeRegressors regressors = open_some(o.model, o.grammaticality, place.dtype, place.device);
    options.most_tokens = std::min(options.most_tokens, regressors.most_tokens());
    const auto scorer = std::make_shared<const SomeScorer>(std::move(regressors), options);
    return [=, model = signature_of(o.model, place)] { return some_metric(scorer, model); };
}

MetricMaker open_perplexity_metric(const ModelMetricOptions& o, const MetricOptions& of_texts, const CommonOptions& common) {
    const Placement place = open_placement(common);
    const PerplexityOptions options{.batch_tokens = o.batch_tokens, .sentences = sentence_rule(of_texts)};
    const auto tokenizer = open_tokenizer(o.model);
    Decoder decoder = Decoder::load(o.model, place.dtype, place.device);
    const auto scorer = std::make_shared<const PerplexityScorer>(std::move(decoder), tokenizer, options);
    return [=, model = signature_of(o.model, place)] { return perplexity_metric(scorer, model); };
}

MetricMaker open_lens_metric(const ModelMetricOptions& o, const MetricOptions&, const CommonOptions&) {
    return [command = o.scorer] { return external_metric("lens", command); };
}

const std::vector<ModelMetric>& model_metrics() {
    static const std::vector<ModelMetric> kMetrics = {
        {.name = "bartscore",
         .options = {"model", "direction", "against", "batch_tokens"},
         .needed = "model",
         .of_texts = {"sentences"},
         .open = open_bartscore_metric},
        {.name = "bertscore",
         .options = {"model", "layer", "idf", "idf_from", "baseline", "batch_tokens"},
         .needed = "model",
         .open = open_bertscore_metric},
        {.name = "lens", .options = {"scorer", "timeout", "restarts"}, .needed = "scorer", .open = open_lens_metric},
        {.name = "perplexity",
         .options = {"model", "batch_tokens"},
         .needed = "model",
         .of_texts = {"sentences"},
         .open = open_perplexity_metric},
        {.name = "some",
         .options = {"model", "grammaticality", "batch_tokens"},
         .needed = "model",
         .of_texts = {"sentences"},
         .open = open_some_metric},
    };
    return kMetrics;
}

const ModelMetric* find_model_metric(const std::string& name) {
    for (const ModelMetric& metric : model_metrics())
        if (metric.name == name) return &metric;
    return nullptr;
}

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

std::vector<std::string> model_metric_names() {
    std::vector<std::string> names;
    for (const ModelMetric& metric : model_metrics()) names.push_back(metric.name);
    return names;
}

bool is_model_metric(const std::string& name) {
    return find_model_metric(name) != nullptr;
}

void bind_model_metrics(OptionTable& table, ModelMetricOptions& o) {
    const auto group = table.group("Metrics with a model");
    const size_t before = table.options().size();
    bind_model(
        table, "model", o.model,
        "bertscore: an encoder; perplexity: a decoder; bartscore: an encoder-decoder; some: a folder of three regressors")
        .flag("--model");
    table.add("layer", o.layer, "bertscore: whose states are compared, 0 is the embeddings; none: the last")
        .flag("--layer")
        .min(0);
    table.add("idf", o.idf, "bertscore: tokens weigh by their document frequencies in the references").flag("--idf");
    table
        .add("idf_from", o.idf_from,
             "bertscore: {\"references\":[...]} a line, in which these are counted (with --idf or without); empty: the "
             "input's")
        .flag("--idf-from");
    table
        .add("baseline", o.baseline,
             "bertscore: figures are rescaled by the layer's row of this file, LAYER,P,R,F a line; empty: they are not")
        .flag("--baseline")
        .input();
    table.add("grammaticality", o.grammaticality, "some: that regressor alone, as CRAFT's released code has it")
        .flag("--grammaticality");
    table
        .add_enum<BartScoreDirection>(
            "direction", o.direction,
            {{"forward", BartScoreDirection::forward},
             {"backward", BartScoreDirection::backward},
             {"f", BartScoreDirection::f}},
            "bartscore: of the prediction given the source, the other way round, or the mean of both")
        .flag("--direction");
    table
        .add("against", o.against,
             "bartscore: what stands in the source's place; with references forward is precision, backward recall")
        .flag("--against")
        .one_of({"source", "references"});
    table.add("batch_tokens", o.batch_tokens, "metrics with a model: tokens computed at a time")
        .flag("--batch-tokens")
        .min(1);
    table
        .add("scorer", o.scorer.command,
             "lens: a shell command that reads {\"id\",\"source\",\"prediction\",\"references\"} a line and writes "
             "{\"id\",\"score\"} in the same order, with \"scorer\" (its name) and \"scale\" ([lowest,highest]) if it likes")
        .flag("--scorer");
    table.add("timeout", o.scorer.timeout_seconds, "lens: seconds without an answer, after which the command is ended")
        .flag("--timeout")
        .min(0.1);
    table.add("restarts", o.scorer.restarts, "lens: how often a command that ended is started again").min(0);
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

MetricMaker open_model_metric(const std::string& name, const ModelMetricOptions& options, const MetricOptions& of_texts,
                              const CommonOptions& common) {
    const ModelMetric* metric = find_model_metric(name);
    if (metric == nullptr) throw_unknown("metric", name, model_metric_names());
    return [make = metric->open(options, of_texts, common), normalizer = of_texts.normalize.value_or(TextNormalizer::none)] {
        return normalized(make(), normalizer);
    };
}

}  // namespace craft
