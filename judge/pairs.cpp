#include "judge/pairs.h"

#include <cmath>

#include "core/error.h"

namespace craft {

namespace {

constexpr double kRounding = 1e-9;  // S_a is a weighted sum: equal ones can differ in their last bits

bool has_text(const std::string& response) {
    return response.find_first_not_of(" \t\r\n") != std::string::npos;
}

Json shown(const StepScores& scores) {
    const auto or_null = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
    Json shown{
        {"s_v", or_null(scores.s_v)}, {"s_c", or_null(scores.s_c)}, {"s_r", or_null(scores.s_r)}, {"s_a", scores.s_a}};
    if (!scores.quality.empty()) shown["raw_quality"] = to_json(scores.quality);
    return shown;
}

PairOutcome dropped(PairOutcome outcome, const char* reason) {
    outcome.dropped = reason;
    return outcome;
}

// A response that was cut would be trained with an end that the planner never wrote.
bool usable(const Step& sample) {
    return has_text(sample.response) && sample.finished;
}

// Best and worst of the usable samples.
struct Extremes {
    std::optional<size_t> best, worst;
    bool all_same = true;
};

Extremes extremes_of(const std::vector<Step>& samples) {
    Extremes found;
    for (size_t i = 0; i < samples.size(); ++i) {
        const double value = samples[i].scores.s_a;
        if (!std::isfinite(value)) throw Error("preference pair", "finite scores", std::to_string(value));
        if (!usable(samples[i])) continue;
        if (found.best && samples[i].response != samples[*found.best].response) found.all_same = false;
        if (!found.best || value > samples[*found.best].scores.s_a) found.best = i;
        if (!found.worst || value < samples[*found.worst].scores.s_a) found.worst = i;
    }
    return found;
}

}  // namespace

PairOutcome build_pair(const std::vector<Message>& history, const std::vector<Step>& samples, const PairOptions& options,
                       const Json& origin) {
    PairOutcome outcome;
    Json all = Json::array();
    for (const Step& sample : samples) {
        all.push_back(sample.scores.s_a);
        if (!has_text(sample.response))
            ++outcome.empty_responses;
        else if (!sample.finished)
            ++outcome.cut_responses;
    }
    const Extremes found = extremes_of(samples);
    const auto with_text = static_cast<int64_t>(samples.size()) - outcome.empty_responses;
    if (with_text < 2) return dropped(outcome, "empty");
    if (with_text - outcome.cut_responses < 2) return dropped(outcome, "cut");
    const Step &best = samples[*found.best], &worst = samples[*found.worst];
    const double gap = best.scores.s_a - worst.scores.s_a;
    if (found.all_same || (gap > kRounding && best.response == worst.response)) return dropped(outcome, "identical");
    if (gap <= kRounding) return dropped(outcome, "tie");
    if (gap < options.min_gap - kRounding) return dropped(outcome, "gap");
    Pair pair;
    pair.prompt = history;
    pair.chosen = std::vector<Message>{{Role::assistant, best.response}};
    pair.rejected = std::vector<Message>{{Role::assistant, worst.response}};
    pair.provenance = origin;
    pair.provenance["chosen_index"] = *found.best;
    pair.provenance["rejected_index"] = *found.worst;
    pair.provenance["chosen_scores"] = shown(best.scores);
    pair.provenance["rejected_scores"] = shown(worst.scores);
    pair.provenance["gap"] = gap;
    pair.provenance["s_a"] = std::move(all);
    outcome.pair = std::move(pair);
    return outcome;
}

}  // namespace craft
