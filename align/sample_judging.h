// A round's samples ranked by another judge than the reward: a model, the rules, a panel (judge/verdicts/candidate_judge.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/trajectory.h"
#include "judge/pairs.h"
#include "judge/verdicts/candidate_judge.h"

namespace craft {

struct RoundJudge {
    std::shared_ptr<const CandidateJudge> judge;
    std::string aspect;  // whose verdict counts; empty: the guideline has none
    uint64_t seed = 1;   // of the orders in which samples are shown
};

// What the judge says of the revisions of a history's usable samples; the source is the text that they revise. Numbers in
// the verdict are the samples'. With fewer than two usable ones nobody is asked. Throws what the judge's system throws.
SampleVerdict judge_samples(const RoundJudge& judge, const std::string& round, const Trajectory& history,
                            const std::vector<Step>& samples);

}  // namespace craft
