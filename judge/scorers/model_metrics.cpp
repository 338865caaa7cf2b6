#include "judge/scorers/model_metrics.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/rows.h"
#include "judge/scorers/bartscore_metric.h"
#include "judge/scorers/bertscore_metric.h"
#include "judge/scorers/perplexity_metric.h"
#include "judge/scorers/some_metric.h"
#include "metrics/external_metric.h"
#include "metrics/normalized.h"
#include "metrics/runner.h"
#include "model/spec/encoder_config.h"

namespace craft {

namespace {

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

MetricMaker open_bertscore_metric(const ModelMetricOptions& o, const MetricOptions&, const PlacementOptions& placing) {
    const Placement place = open_placement(placing);
    const int64_t layers = read_encoder_config(o.model).stack.layers;
    const int64_t layer = o.layer.value_or(layers);
    if (layer > layers)
        throw UsageError("--layer: expected at most the " + std::to_string(layers) + " layers of " + o.model.string() +
                         ", got " + std::to_string(layer));
    BertScoreOptions options{.idf = o.idf || !o.idf_from.empty(), .batch_tokens = o.batch_tokens, .ranks = o.ranks};
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

MetricMaker open_bartscore_metric(const ModelMetricOptions& o, const MetricOptions& of_texts,
                                  const PlacementOptions& placing) {
    const Placement place = open_placement(placing);
    const BartScoreOptions options{
        .batch_tokens = o.batch_tokens, .direction = o.direction, .sentences = sentence_rule(of_texts), .ranks = o.ranks};
    read_seq2seq_config(o.model);  // says what the folder is before anything is missed in it
    const auto tokenizer = open_tokenizer(o.model);
    Seq2Seq model = Seq2Seq::load(o.model, place.dtype, place.device);
    const auto scorer = std::make_shared<const BartScorer>(std::move(model), tokenizer, options);
    return [=, files = signature_of(o.model, place), references = o.against == "references"] {
        return bartscore_metric(scorer, files, references);
    };
}

MetricMaker open_some_metric(const ModelMetricOptions& o, const MetricOptions& of_texts, const PlacementOptions& placing) {
    const Placement place = open_placement(placing);
    SomeOptions options{.grammaticality_alone = o.grammaticality,
                        .batch_tokens = o.batch_tokens,
                        .sentences = sentence_rule(of_texts),
                        .ranks = o.ranks};
    SomeRegressors regressors = open_some(o.model, o.grammaticality, place.dtype, place.device);
    options.max_tokens = std::min(options.max_tokens, regressors.max_tokens());
    const auto scorer = std::make_shared<const SomeScorer>(std::move(regressors), options);
    return [=, model = signature_of(o.model, place)] { return some_metric(scorer, model); };
}

MetricMaker open_perplexity_metric(const ModelMetricOptions& o, const MetricOptions& of_texts,
                                   const PlacementOptions& placing) {
    const Placement place = open_placement(placing);
    const PerplexityOptions options{.batch_tokens = o.batch_tokens, .sentences = sentence_rule(of_texts), .ranks = o.ranks};
    const auto tokenizer = open_tokenizer(o.model);
    Decoder decoder = Decoder::load(o.model, place.dtype, place.device);
    const auto scorer = std::make_shared<const PerplexityScorer>(std::move(decoder), tokenizer, options);
    return [=, model = signature_of(o.model, place)] { return perplexity_metric(scorer, model); };
}

MetricMaker open_lens_metric(const ModelMetricOptions& o, const MetricOptions&, const PlacementOptions&) {
    return [command = o.scorer] { return external_metric("lens", command); };
}

}  // namespace

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

std::vector<std::string> model_metric_names() {
    std::vector<std::string> names;
    for (const ModelMetric& metric : model_metrics()) names.push_back(metric.name);
    return names;
}

bool is_model_metric(const std::string& name) {
    return find_model_metric(name) != nullptr;
}

MetricMaker open_model_metric(const std::string& name, const ModelMetricOptions& options, const MetricOptions& of_texts,
                              const PlacementOptions& placing) {
    const ModelMetric* metric = find_model_metric(name);
    if (metric == nullptr) throw_unknown("metric", name, model_metric_names());
    return [make = metric->open(options, of_texts, placing),
            normalizer = of_texts.normalize.value_or(TextNormalizer::none)] { return normalized(make(), normalizer); };
}

}  // namespace craft
