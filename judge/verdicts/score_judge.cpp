#include "judge/verdicts/score_judge.h"

#include <cmath>

#include "core/error.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr double kEqualScores = 1e-9;  // as judge/pairs.cpp: scores that are sums can differ in their last bits

struct ScoreVerdict {
    std::optional<ListwiseVerdict> verdict;
    std::string reason;
};

bool can_be_a_side(const Candidate& candidate) {
    return !candidate.is_cut && !trim_view(candidate.text).empty();
}

// The first of the usable candidates whose score is nearest to the highest (sign 1) or the lowest (sign -1).
size_t extreme(const std::vector<size_t>& usable, const std::vector<std::optional<double>>& scores, double sign) {
    double highest = sign * *scores[usable.front()];
    for (const size_t i : usable) highest = std::max(highest, sign * *scores[i]);
    for (const size_t i : usable)
        if (sign * *scores[i] >= highest - kEqualScores) return i;
    return usable.front();  // never: the highest is among them
}

ScoreVerdict verdict_by(const CandidateGroup& group, const std::vector<std::optional<double>>& scores) {
    std::vector<size_t> usable;
    for (size_t i = 0; i < group.candidates.size(); ++i)
        if (can_be_a_side(group.candidates[i])) usable.push_back(i);
    if (usable.size() < 2) return {std::nullopt, "too few candidates"};
    for (const size_t i : usable)
        if (!scores[i] || !std::isfinite(*scores[i])) return {std::nullopt, "no score"};
    const ListwiseVerdict verdict{extreme(usable, scores, 1), extreme(usable, scores, -1)};
    if (*scores[verdict.best] - *scores[verdict.worst] <= kEqualScores) return {std::nullopt, "tie"};
    return {verdict, ""};
}

}  // namespace

CandidateScoring given_scores(const std::string& name, bool lower_is_better) {
    return [=](const CandidateGroup& group) {
        std::vector<std::optional<double>> scores;
        bool any = false;
        for (const Candidate& candidate : group.candidates) {
            const auto found = candidate.scores.find(name);
            scores.emplace_back();
            if (found == candidate.scores.end()) continue;
            any = true;
            scores.back() = lower_is_better ? -found->second : found->second;
        }
        if (!any)
            throw Error("candidates of '" + group.id + "'", "a number '" + name + "' among their scores", "none",
                        "candidates carry them as \"scores\":{NAME:NUMBER}");
        return scores;
    };
}

ScoreJudge::ScoreJudge(std::string name, std::vector<std::string> aspects, CandidateScoring scoring)
    : name_(std::move(name)), aspects_(std::move(aspects)), scoring_(std::move(scoring)) {
    if (aspects_.empty()) aspects_.emplace_back();
}

Judgement ScoreJudge::judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const {
    Judgement judgement;
    judgement.judge = name_;
    judgement.order = order;
    judgement.repeat = repeat;
    judgement.scores = scoring_(group);
    if (judgement.scores.size() != group.candidates.size())
        throw Error(name_ + ": candidates of '" + group.id + "'", std::to_string(group.candidates.size()) + " scores",
                    std::to_string(judgement.scores.size()));
    const ScoreVerdict found = verdict_by(group, judgement.scores);
    for (const std::string& aspect : aspects_) {
        if (found.verdict)
            judgement.verdicts[aspect] = *found.verdict;
        else
            judgement.reasons[aspect] = found.reason;
    }
    return judgement;
}

std::optional<double> score_gap(const Judgement& judgement, const ListwiseVerdict& verdict) {
    const auto score = [&](size_t i) { return i < judgement.scores.size() ? judgement.scores[i] : std::nullopt; };
    const auto best = score(verdict.best), worst = score(verdict.worst);
    return best && worst ? std::optional(*best - *worst) : std::nullopt;
}

}  // namespace craft
