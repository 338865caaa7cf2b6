// Candidates compared two by two: a judge of lists is shown each pair, and and best and worst are those of a tournament.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "judge/verdicts/listwise_judge.h"

namespace craft {

class PairwiseCandidates : public CandidateJudge {
public:
    explicit PairwiseCandidates(ListwiseJudge judge) : judge_(std::move(judge)) {}
    std::string name() const override { return judge_.name(); }
    // K (K - 1) / 2 questions, of each two candidates with the one first that stands first in `order`. Two candidates of the
    // same text draw, and nobody is asked. Best and worst are those of the tournament (judge/verdicts/tournament.h). No
    // verdict: two have the highest score, or the lowest ("tie"), or a pair without a verdict could change who has (why it
    // has none).
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const override;

private:
    ListwiseJudge judge_;
};

}  // namespace craft
