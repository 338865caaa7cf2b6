#include "metrics/registry.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "metrics/bleu.h"
#include "metrics/diff_match.h"
#include "metrics/exact_match.h"
#include "metrics/fkgl.h"
#include "metrics/gleu_metric.h"
#include "metrics/insert_delete.h"
#include "metrics/normalized.h"
#include "metrics/quality.h"
#include "metrics/rouge_metric.h"
#include "metrics/sari.h"
#include "text/lists.h"

namespace craft {

namespace {

struct MetricEntry {
    std::string name;
    std::vector<std::string> options;     // keys of MetricOptions that it uses
    std::vector<MetricVariant> variants;  // those that are its own
    std::unique_ptr<Metric> (*make)(const MetricOptions& options);
};

const std::vector<MetricEntry>& entries() {
    static const std::vector<MetricEntry> kEntries = {
        {"diff_match", {}, {}, make_diff_match},
        {"exact_match", {}, {}, make_exact_match},
        {"gleu", {"tokenizer", "lowercase", "draws"}, {}, make_gleu},
        {"insert_delete", {}, {}, make_insert_delete},
        {"rouge", {"variant"}, {MetricVariant::rouge_score, MetricVariant::published}, make_rouge},
        {"update_rouge", {}, {}, make_update_rouge},
        {"sari",
         {"tokenizer", "lowercase", "variant"},
         {MetricVariant::easse, MetricVariant::del_precision, MetricVariant::micro, MetricVariant::legacy,
          MetricVariant::published},
         make_sari},
        {"bleu",
         {"tokenizer", "lowercase", "variant", "smoothing", "smoothing_value"},
         {MetricVariant::sacrebleu, MetricVariant::editeval},
         make_bleu},
        {"ibleu", {"tokenizer", "lowercase"}, {}, make_ibleu},
        {"fkgl", {"tokenizer", "sentences"}, {}, make_fkgl},
        {"quality", {"tokenizer", "lowercase", "sentences"}, {}, make_quality},
    };
    return kEntries;
}

const MetricEntry* find_entry(const std::string& name) {
    for (const MetricEntry& entry : entries())
        if (entry.name == name) return &entry;
    return nullptr;
}

std::string unknown_metric(const std::string& name) {
    try {
        throw_unknown("metric", name, metric_names());
    } catch (const Error& error) {
        return error.what();
    }
}

std::string refused_option(const MetricEntry& entry, const std::string& key) {
    return key + ": expected " + (entry.options.empty() ? "no options" : "one of " + join(entry.options, ", ")) + " with " +
           entry.name + ", which does not use this one";
}

std::string refused_variant(const MetricEntry& entry, MetricVariant given) {
    std::vector<std::string> known;
    for (const MetricVariant variant : entry.variants) known.push_back(option_name(variant));
    return "variant: expected one of " + join(known, ", ") + " with " + entry.name + ", got " + option_name(given);
}

// What single options do not show.
void add_contradictions(const MetricOptions& options, std::vector<std::string>& problems) {
    if (options.variant == MetricVariant::legacy && options.lowercase == true)
        problems.emplace_back(
            "lowercase: expected no such option with variant legacy, whose texts are lowercase beforehand");
    if (options.variant == MetricVariant::editeval && options.smoothing.value_or(BleuSmoothing::none) != BleuSmoothing::none)
        problems.emplace_back("smoothing: expected none with variant editeval, which has no other");
    const bool takes_value = options.smoothing == BleuSmoothing::floor || options.smoothing == BleuSmoothing::add_k;
    if (options.smoothing_value && !takes_value)
        problems.emplace_back("smoothing_value: expected smoothing floor or add-k, which it belongs to");
    if (options.smoothing_value && !(*options.smoothing_value > 0))
        problems.push_back("smoothing_value: expected a number above 0, got " + Json(*options.smoothing_value).dump());
}

}  // namespace

std::vector<std::string> metric_names() {
    std::vector<std::string> names;
    for (const MetricEntry& entry : entries()) names.push_back(entry.name);
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> metric_problems(const std::string& name, const MetricOptions& options) {
    const MetricEntry* entry = find_entry(name);
    if (entry == nullptr) return {unknown_metric(name)};
    std::vector<std::string> problems;
    for (const std::string& key : given_options(options)) {
        if (key == "normalize") continue;  // is done before any metric
        const auto& used = entry->options;
        if (std::find(used.begin(), used.end(), key) == used.end())
            problems.push_back(refused_option(*entry, key));
        else if (key == "variant" &&
                 std::find(entry->variants.begin(), entry->variants.end(), *options.variant) == entry->variants.end())
            problems.push_back(refused_variant(*entry, *options.variant));
    }
    add_contradictions(options, problems);
    return problems;
}

std::unique_ptr<Metric> make_metric(const std::string& name, const MetricOptions& options) {
    if (auto problems = metric_problems(name, options); !problems.empty()) throw UsageError(std::move(problems));
    return normalized(find_entry(name)->make(options), options.normalize.value_or(TextNormalizer::none));
}

bool is_lower_better(const std::string& key) {
    static constexpr std::array<const char*, 10> kLower = {
        "perplexity",     "ppl",  "errors",          "ne_er",    "overcorrection",
        "grammaticality", "fkgl", "touched_besides", "unusable", "unknown_entities"};
    return std::find(kLower.begin(), kLower.end(), key) != kLower.end();
}

}  // namespace craft
