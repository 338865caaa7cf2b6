#include "judge/verdicts/pairwise_candidates.h"

#include "judge/verdicts/tournament.h"

namespace craft {

namespace {

struct AspectDuels {
    std::vector<Duel> duels;
    std::string problem;  // of the first pair without a verdict
};

void add_duel(const Judgement& pair, const std::string& aspect, AspectDuels& all) {
    Duel duel{pair.order.at(0), pair.order.at(1), std::nullopt};
    if (const auto said = pair.verdicts.find(aspect); said != pair.verdicts.end()) {
        duel.verdict = said->second.best == duel.a ? PairVerdict::win : PairVerdict::loss;
    } else if (const std::string& reason = pair.reasons.at(aspect); reason == "equal") {
        duel.verdict = PairVerdict::tie;
    } else if (all.problem.empty()) {
        all.problem = reason;
    }
    all.duels.push_back(duel);
}

}  // namespace

Judgement PairwiseCandidates::judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const {
    if (!nothing_to_judge(group, order, judge_.sees_responses()).empty()) return judge_.judge(group, order, repeat);
    Judgement whole;
    whole.judge = name();
    whole.order = order;
    whole.repeat = repeat;
    std::map<std::string, AspectDuels> aspects;
    for (const std::string& aspect : judge_.aspects()) aspects[aspect];
    for (size_t first = 0; first < order.size(); ++first) {
        for (size_t second = first + 1; second < order.size(); ++second) {
            Judgement pair = judge_.judge(group, {order[first], order[second]}, repeat);
            for (auto& [aspect, all] : aspects) add_duel(pair, aspect, all);
            for (JudgingAttempt& attempt : pair.attempts) whole.attempts.push_back(std::move(attempt));
            for (const auto& [what, times] : pair.noted) whole.noted[what] += times;
        }
    }
    for (auto& [aspect, all] : aspects) {
        const TournamentResult result = run_tournament(order, all.duels);
        if (result.verdict)
            whole.verdicts[aspect] = *result.verdict;
        else
            whole.reasons[aspect] = result.unjudged > 0 ? all.problem : result.reason;
        whole.duels[aspect] = std::move(all.duels);
    }
    return whole;
}

}  // namespace craft
