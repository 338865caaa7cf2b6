// Numbers as a judge: the candidate with the highest one is best, the one with the lowest worst (policy simplification's
// control by an external metric, §4).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/verdicts/candidate_judge.h"

namespace craft {

// One number a candidate of the group, in their order, higher better; absent: it has none. Called by several threads at
// once.
using CandidateScoring = std::function<std::vector<std::optional<double>>(const CandidateGroup&)>;

// The numbers that came with the candidates under this name (Candidate::scores). Throws Error, when it is called, where no
// candidate of a group has it.
CandidateScoring given_scores(const std::string& name, bool lower_is_better = false);

// Best and worst of the candidates that can be a side: those that are empty or were cut are left out, as in judge/pairs.h.
// Among equals (within 1e-9) the first one in the group is taken, whatever the order. Without a verdict a group has the
// reason "too few candidates" (fewer than two are left), "no score" (one of those has none, or one that is not finite: the
// best or the worst could be that one) or "tie" (all are equally good).
class ScoreJudge : public CandidateJudge {
public:
    // `name`: as a user specifies it, "scores:lens". The verdict is the same for all aspects; none: that of a guideline
    // without aspects.
    ScoreJudge(std::string name, std::vector<std::string> aspects, CandidateScoring scoring);
    std::string name() const override { return name_; }
    // With Judgement::scores, and nothing asked: orders and repeats change nothing. Throws Error where the scoring gives
    // another number of scores, and what it throws.
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const override;

private:
    std::string name_;
    std::vector<std::string> aspects_;
    CandidateScoring scoring_;
};

// The scores' difference between a verdict's best and worst, which filters ask for; absent where the judge gave none.
std::optional<double> score_gap(const Judgement& judgement, const ListwiseVerdict& verdict);

}  // namespace craft
