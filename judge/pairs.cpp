#include "judge/pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace craft {

namespace {

bool has_text(const std::string& response) {
    return response.find_first_not_of(" \t\r\n") != std::string::npos;
}

PairOutcome dropped(PairOutcome outcome, std::string reason) {
    outcome.dropped = std::move(reason);
    return outcome;
}

// A response that was cut would be trained with an end that the planner never wrote, and one whose revision is unusable was
// judged by a text that is not what it asked for.
bool usable(const Step& sample) {
    return has_text(sample.response) && sample.finished && sample.unusable.empty();
}

double likelihood(const Step& sample) {
    return sample.mean_logprob.value_or(-std::numeric_limits<double>::infinity());
}

// Best and worst of the usable samples; of those that rounding alone sets apart the likeliest, which has the fewest slips
// that no score sees, and of equally likely ones the first.
struct Extremes {
    std::optional<size_t> best, worst;
    bool all_same = true;
};

Extremes extremes_of(const std::vector<Step>& samples, double min_tool_f1) {
    const auto can_be_best = [&](const Step& sample) {
        return sample.scores.s_v.value_or(0) >= min_tool_f1 - kScoreRounding;
    };
    double highest = -std::numeric_limits<double>::infinity(), lowest = -highest;
    for (const Step& sample : samples) {
        const double value = sample.scores.s_a;
        if (!std::isfinite(value)) throw Error("preference pair", "finite scores", std::to_string(value));
        if (!usable(sample)) continue;
        if (can_be_best(sample)) highest = std::max(highest, value);
        lowest = std::min(lowest, value);
    }
    Extremes found;
    const std::string* first = nullptr;
    for (size_t i = 0; i < samples.size(); ++i) {
        const double value = samples[i].scores.s_a;
        if (!usable(samples[i])) continue;
        if (first == nullptr) first = &samples[i].response;
        found.all_same = found.all_same && samples[i].response == *first;
        const auto takes = [&](const std::optional<size_t>& held) {
            return !held || likelihood(samples[i]) > likelihood(samples[*held]);
        };
        if (can_be_best(samples[i]) && value >= highest - kScoreRounding && takes(found.best)) found.best = i;
        if (value <= lowest + kScoreRounding && takes(found.worst)) found.worst = i;
    }
    return found;
}

struct Sides {
    size_t best, worst;
};

// Why these two samples make no pair; empty: they do.
std::string problem_of(const std::vector<Step>& samples, const Sides& sides, bool all_same, const PairOptions& options) {
    const Step &best = samples[sides.best], &worst = samples[sides.worst];
    const double gap = best.scores.s_a - worst.scores.s_a;
    if (options.rank_by == RankBy::judge) return best.response == worst.response ? "identical" : "";
    if (all_same || (gap > kScoreRounding && best.response == worst.response)) return "identical";
    if (gap < -kScoreRounding) return "disagreement";
    if (gap <= kScoreRounding) return "tie";
    return gap < options.min_gap - kScoreRounding ? "gap" : "";
}

Pair pair_of(const std::vector<Message>& history, const std::vector<Step>& samples, const Sides& sides, const Json& origin) {
    const Step &best = samples[sides.best], &worst = samples[sides.worst];
    Pair pair;
    pair.prompt = history;
    pair.chosen = std::vector<Message>{{Role::assistant, best.response}};
    pair.rejected = std::vector<Message>{{Role::assistant, worst.response}};
    pair.provenance = origin;
    pair.provenance["chosen_index"] = sides.best;
    pair.provenance["rejected_index"] = sides.worst;
    pair.provenance["chosen_scores"] = to_json(best.scores);
    pair.provenance["rejected_scores"] = to_json(worst.scores);
    pair.provenance["gap"] = best.scores.s_a - worst.scores.s_a;
    pair.provenance["s_a"] = Json::array();
    for (const Step& sample : samples) pair.provenance["s_a"].push_back(sample.scores.s_a);
    return pair;
}

}  // namespace

std::vector<size_t> usable_samples(const std::vector<Step>& samples) {
    std::vector<size_t> numbers;
    for (size_t i = 0; i < samples.size(); ++i)
        if (usable(samples[i])) numbers.push_back(i);
    return numbers;
}

std::string too_few_usable(const std::vector<Step>& samples) {
    const auto too_few = [&](const auto& fits) { return std::count_if(samples.begin(), samples.end(), fits) < 2; };
    if (too_few([](const Step& sample) { return has_text(sample.response); })) return "empty";
    if (too_few([](const Step& sample) { return has_text(sample.response) && sample.finished; })) return "cut";
    return too_few(usable) ? "unusable" : "";
}

PairOutcome build_pair(const std::vector<Message>& history, const std::vector<Step>& samples, const PairOptions& options,
                       const Json& origin, const SampleVerdict& verdict) {
    PairOutcome outcome;
    for (const Step& sample : samples) {
        if (!has_text(sample.response))
            ++outcome.empty_responses;
        else if (!sample.finished)
            ++outcome.cut_responses;
        else if (!sample.unusable.empty())
            ++outcome.unusable_responses;
    }
    const bool by_reward = options.rank_by == RankBy::s_a;
    const Extremes found = extremes_of(samples, by_reward ? options.min_tool_f1 : 0);
    if (const std::string reason = too_few_usable(samples); !reason.empty()) return dropped(outcome, reason);
    if (!found.best) return dropped(outcome, "wrong calls");
    Sides sides{*found.best, *found.worst};
    if (!by_reward) {
        if (found.all_same) return dropped(outcome, "identical");
        if (!verdict.best || !verdict.worst) return dropped(outcome, "verdict: " + verdict.reason);
        sides = {*verdict.best, *verdict.worst};
    }
    const std::string problem = problem_of(samples, sides, found.all_same, options);
    if (!problem.empty()) return dropped(outcome, problem);
    outcome.pair = pair_of(history, samples, sides, origin);
    if (!by_reward && verdict.origin.is_object()) outcome.pair->provenance.update(verdict.origin);
    return outcome;
}

}  // namespace craft
