#include "metrics/edits/edit_results.h"

#include <algorithm>
#include <cstdio>

#include "metrics/edits/m2_remarks.h"
#include "text/lists.h"

namespace craft {

namespace {

std::string match_name(EditMatch match) {
    switch (match) {
        case EditMatch::correction:
            return "correction";
        case EditMatch::correction_type:
            return "correction_type";
        case EditMatch::span_detection:
            return "span";
        case EditMatch::token_detection:
            return "token";
    }
    return "";
}

std::string length_name(EditLength length) {
    return length == EditLength::any ? "any" : length == EditLength::single_token ? "single" : "multi";
}

Json counts_json(const EditCounts& counts, double beta) {
    const EditScores scores = edit_scores(counts, beta);
    return {{"precision", scores.precision}, {"recall", scores.recall},      {f_name(beta), scores.f},
            {"tp", counts.true_positives},   {"fp", counts.false_positives}, {"fn", counts.false_negatives}};
}

// A file without a model of English has no other types, and its figures by type mean little.
bool only_other_types(const M2File& file) {
    bool any = false;
    for (const M2Sentence& sentence : file.sentences) {
        for (const M2Edit& edit : sentence.edits) {
            if (edit.noop()) continue;
            any = true;
            const std::string_view type = edit.type;
            if (type != "M:OTHER" && type != "U:OTHER" && type != "R:OTHER") return false;
        }
    }
    return any;
}

std::string errant_signature(const M2File& hypothesis, const M2File& reference, const ErrantOptions& options) {
    std::vector<std::string> filtered = options.filtered_types;
    std::sort(filtered.begin(), filtered.end());
    filtered.erase(std::unique(filtered.begin(), filtered.end()), filtered.end());
    std::string signature =
        "errant_compare 3.0.2|match:" + match_name(options.match) + "|length:" + length_name(options.length) +
        "|filter:" + (filtered.empty() ? "none" : join(filtered, ",")) + "|beta:" + f_name(options.beta).substr(1);
    if (only_other_types(hypothesis) || only_other_types(reference)) signature += "|types:OTHER-only";
    return signature;
}

}  // namespace

std::string f_name(double beta) {
    char text[32];
    std::snprintf(text, sizeof text, "f%g", beta);
    return text;
}

Json to_json(const M2Evaluation& evaluation, const M2File& gold, const M2Options& options) {
    const M2Scores scores = m2_scores(evaluation.total, options.beta);
    Json corpus = {{"precision", scores.precision},
                   {"recall", scores.recall},
                   {f_name(options.beta), scores.f},
                   {"correct", evaluation.total.correct},
                   {"proposed", evaluation.total.proposed},
                   {"gold", evaluation.total.gold},
                   {"sentences", evaluation.sentences.size()},
                   {"gold_outside_sentence", gold.outside.size()},
                   {"gold_repeated", repeated_edits(gold).count},
                   {"missing_annotators", missing_annotators(gold).count}};
    Json by_type = Json::object();
    for (const auto& [type, counts] : evaluation.by_type) {
        by_type[type] = {
            {"recall", m2_scores(counts, options.beta).recall}, {"correct", counts.correct}, {"gold", counts.gold}};
    }
    Json items = Json::array();
    for (const M2SentenceScore& sentence : evaluation.sentences) {
        items.push_back({{"id", std::to_string(items.size() + 1)},
                         {f_name(options.beta), m2_scores(sentence.counts, options.beta).f},
                         {"correct", sentence.counts.correct},
                         {"proposed", sentence.counts.proposed},
                         {"gold", sentence.counts.gold},
                         {"annotator", sentence.annotator},
                         {"summands", {sentence.counts.correct, sentence.counts.proposed, sentence.counts.gold}}});
    }
    const M2Scores spans = m2_scores(evaluation.spans, options.beta);
    const Json detection = {{"span",
                             {{"precision", spans.precision},
                              {"recall", spans.recall},
                              {f_name(options.beta), spans.f},
                              {"correct", evaluation.spans.correct},
                              {"proposed", evaluation.spans.proposed},
                              {"gold", evaluation.spans.gold}}}};
    return {{"metric", "m2"},
            {"signature", "m2|nusnlp/m2scorer cb874a7|words:" + std::to_string(options.limits.max_unchanged_words) +
                              "|form:" + (options.ignore_whitespace_casing ? "ignored" : "kept") +
                              "|beta:" + f_name(options.beta).substr(1)},
            {"options",
             {{"beta", options.beta},
              {"max_unchanged_words", options.limits.max_unchanged_words},
              {"ignore_whitespace_casing", options.ignore_whitespace_casing}}},
            {"corpus", std::move(corpus)},
            {"empty_predictions", evaluation.empty_hypotheses},
            {"by_type", std::move(by_type)},
            {"detection", detection},
            {"items", std::move(items)}};
}

Json errant_result(const M2File& hypothesis, const M2File& reference, const ErrantOptions& options, int tier) {
    const ErrantComparison comparison = compare_edits(hypothesis, reference, options);
    Json corpus = counts_json(comparison.total, options.beta);
    corpus["sentences"] = reference.sentences.size();
    corpus["missing_annotators"] = missing_annotators(reference).count;
    Json by_type = Json::object();
    for (const auto& [type, counts] : by_category(comparison.by_type, tier))
        by_type[type] = counts_json(counts, options.beta);
    Json detection = Json::object();
    for (const EditMatch match : {EditMatch::span_detection, EditMatch::token_detection}) {
        ErrantOptions other = options;
        other.match = match;
        detection[match_name(match)] = counts_json(compare_edits(hypothesis, reference, other).total, options.beta);
    }
    Json items = Json::array();
    for (const EditCounts& counts : comparison.sentences) {
        Json item = {{"id", std::to_string(items.size() + 1)}};
        item.update(counts_json(counts, options.beta));
        item["summands"] = {counts.true_positives, counts.false_positives, counts.false_negatives};
        items.push_back(std::move(item));
    }
    return {{"metric", "errant"},
            {"signature", errant_signature(hypothesis, reference, options)},
            {"options",
             {{"beta", options.beta},
              {"match", match_name(options.match)},
              {"length", length_name(options.length)},
              {"filtered_types", options.filtered_types},
              {"tier", tier}}},
            {"corpus", std::move(corpus)},
            {"by_type", std::move(by_type)},
            {"detection", std::move(detection)},
            {"items", std::move(items)}};
}

}  // namespace craft
