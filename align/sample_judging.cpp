#include "align/sample_judging.h"

#include <numeric>

#include "core/rng.h"

namespace craft {

SampleVerdict judge_samples(const RoundJudge& judge, const std::string& round, const Trajectory& history,
                            const std::vector<Step>& samples) {
    const std::vector<size_t> usable = usable_samples(samples);
    SampleVerdict verdict;
    verdict.reason = "too few samples";
    if (usable.size() < 2) return verdict;
    CandidateGroup group;
    group.id = history.instruction.id;
    group.source = history.steps.empty() ? history.instruction.text : history.steps.back().revision;
    for (const size_t i : usable) group.candidates.push_back({"sample " + std::to_string(i), samples[i].revision});
    std::vector<size_t> order(usable.size());
    std::iota(order.begin(), order.end(), size_t{0});
    Rng(judge.seed, round + ".judge", group.id).shuffle(order);
    const Judgement judgement = judge.judge->judge(group, order, 0);
    verdict.origin = {{"judge", judgement.judge}, {"aspect", judge.aspect}, {"order", Json::array()}};
    for (const size_t place : order) verdict.origin["order"].push_back(usable[place]);
    if (const auto found = judgement.verdicts.find(judge.aspect); found != judgement.verdicts.end()) {
        verdict.best = usable[found->second.best];
        verdict.worst = usable[found->second.worst];
        verdict.reason.clear();
    } else {
        const auto reason = judgement.reasons.find(judge.aspect);
        verdict.reason = reason == judgement.reasons.end() ? "no verdict" : reason->second;
    }
    return verdict;
}

}  // namespace craft
