#include "judge/run/candidate_scores.h"

#include <unordered_map>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/utf8.h"
#include "judge/scorers/model_metrics.h"
#include "metrics/external_metric.h"
#include "metrics/registry.h"
#include "text/utf8.h"

namespace craft {

namespace {

// A number is that of a text beside its source.
std::string key_of(const std::string& source, const std::string& text) {
    return hash128_text(source) + hash128_text(text);
}

std::shared_ptr<Metric> open_candidate_metric(const CandidateScoreOptions& o, const PlacementOptions& placing) {
    if (!o.command.command.empty()) return external_metric("command", o.command);
    if (!is_model_metric(o.metric)) {
        MetricOptions options;
        // A candidate is a line and may be several sentences: by lines, one that was split would count as harder.
        if (o.metric == "fkgl") options.sentences = SentenceUnit::icu;
        return make_metric(o.metric, options);
    }
    ModelMetricOptions model;
    model.model = o.model;
    model.batch_tokens = o.batch_tokens;
    return open_model_metric(o.metric, model, {}, placing)();
}

std::string score_name(const CandidateScoreOptions& o) {
    if (!o.field.empty()) return "scores:field " + o.field;
    return "scores:" + (o.command.command.empty() ? o.metric : "command");
}

bool is_measured(const Candidate& candidate) {
    return !trim_view(candidate.text).empty();
}

}  // namespace

// Once here and once in each function that looks up.
struct CandidateScores::Measured {
    std::unordered_map<std::string, std::optional<double>> values;  // by key_of(), higher better
};

std::vector<std::string> candidate_metric_names() {
    return {"bartscore", "fkgl", "perplexity", "some"};
}

CandidateScores::CandidateScores(const CandidateScoreOptions& options, const PlacementOptions& placing)
    : options_(options), name_(score_name(options)), measured_(std::make_shared<Measured>()) {
    const bool is_metric = options_.field.empty() && options_.command.command.empty();
    lower_is_better_ = is_metric ? is_lower_better(options_.metric) : options_.lower_is_better;
    if (options_.field.empty()) metric_ = open_candidate_metric(options_, placing);
}

void CandidateScores::measure(const std::vector<CandidateGroup>& groups) {
    if (!metric_) return;
    std::vector<MetricItem> items;
    std::vector<std::string> keys;
    for (const CandidateGroup& group : groups) {
        for (const Candidate& candidate : group.candidates) {
            std::string key = key_of(group.source, candidate.text);
            if (!is_measured(candidate) || !measured_->values.emplace(key, std::nullopt).second) continue;
            items.push_back({std::to_string(items.size() + 1), group.source, candidate.text, {}});
            keys.push_back(std::move(key));
        }
    }
    if (items.empty()) return;
    const std::vector<ItemScore> scores = metric_->measure_all(items);
    for (size_t i = 0; i < items.size(); ++i) {
        const std::optional<double>& value = scores.at(i).value;
        if (value) measured_->values[keys[i]] = lower_is_better_ ? -*value : *value;
    }
}

CandidateScoring CandidateScores::scoring() const {
    if (!metric_) return given_scores(options_.field, lower_is_better_);
    return [measured = measured_, name = name_](const CandidateGroup& group) {
        std::vector<std::optional<double>> scores;
        for (const Candidate& candidate : group.candidates) {
            scores.emplace_back();
            if (!is_measured(candidate)) continue;
            const auto found = measured->values.find(key_of(group.source, candidate.text));
            if (found == measured->values.end())
                throw Error(name + ": candidates of '" + group.id + "'", "texts that were measured before",
                            "'" + shortened(candidate.text, 60) + "'");
            scores.back() = found->second;
        }
        return scores;
    };
}

int64_t CandidateScores::measured() const {
    return static_cast<int64_t>(measured_->values.size());
}

Json CandidateScores::to_json() const {
    return {{"name", name_},
            {"better", lower_is_better_ ? "lower" : "higher"},
            {"metric", metric_ ? Json(metric_->signature()) : Json(nullptr)}};
}

}  // namespace craft
