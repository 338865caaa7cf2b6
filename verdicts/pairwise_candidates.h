// Candidates compared two by two: a judge of lists is shown each pair, and who wins most is best.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "verdicts/listwise_judge.h"

namespace craft {

class PairwiseCandidates : public CandidateJudge {
public:
    explicit PairwiseCandidates(ListwiseJudge judge) : judge_(std::move(judge)) {}
    std::string name() const override { return judge_.name(); }
    // K (K - 1) / 2 questions, of each two candidates with the one first that stands first in `order`. Two candidates of the
    // same text share their win, and nobody is asked. Best is the one with the most wins, worst the one with the fewest. No
    // verdict: two have the most, or the fewest ("tie"), or a pair has none (why that is so).
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const override;

private:
    ListwiseJudge judge_;
};

}  // namespace craft
