#include "verdicts/pairwise_candidates.h"

#include "verdicts/extremes.h"

namespace craft {

namespace {

constexpr double kWin = 1, kShared = 0.5;

struct AspectWins {
    std::map<size_t, double> of;  // by candidate
    std::string problem;          // of the first pair without a verdict
};

void count(const Judgement& pair, const std::string& aspect, AspectWins& wins) {
    const auto verdict = pair.verdicts.find(aspect);
    if (verdict != pair.verdicts.end()) {
        wins.of[verdict->second.best] += kWin;
        return;
    }
    const std::string& reason = pair.reasons.at(aspect);
    if (reason == "equal") {
        for (const size_t candidate : pair.order) wins.of[candidate] += kShared;
    } else if (wins.problem.empty()) {
        wins.problem = reason;
    }
}

}  // namespace

Judgement PairwiseCandidates::judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const {
    if (!nothing_to_judge(group, order).empty()) return judge_.judge(group, order, repeat);
    Judgement whole;
    whole.judge = name();
    whole.order = order;
    whole.repeat = repeat;
    std::map<std::string, AspectWins> wins;
    for (const std::string& aspect : judge_.aspects())
        for (const size_t candidate : order) wins[aspect].of[candidate] = 0;
    for (size_t first = 0; first < order.size(); ++first) {
        for (size_t second = first + 1; second < order.size(); ++second) {
            Judgement pair = judge_.judge(group, {order[first], order[second]}, repeat);
            for (auto& [aspect, sums] : wins) count(pair, aspect, sums);
            for (JudgingAttempt& attempt : pair.attempts) whole.attempts.push_back(std::move(attempt));
            for (const auto& [what, times] : pair.noted) whole.noted[what] += times;
        }
    }
    for (const auto& [aspect, sums] : wins) {
        const auto verdict = extremes(sums.of);
        if (!sums.problem.empty())
            whole.reasons[aspect] = sums.problem;
        else if (verdict)
            whole.verdicts[aspect] = *verdict;
        else
            whole.reasons[aspect] = "tie";
    }
    return whole;
}

}  // namespace craft
