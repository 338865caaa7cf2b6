// A round's samples ranked by another judge than the reward: a model, the rules, a panel (judge/verdicts/candidate_judge.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/trajectory.h"
#include "judge/pairs.h"
#include "judge/run/candidate_judges.h"
#include "judge/run/judging_materials.h"
#include "judge/verdicts/candidate_judge.h"

namespace craft {

struct RoundJudge {
    std::shared_ptr<const CandidateJudge> judge;
    std::string aspect;  // whose verdict counts; empty: the guideline has none
    uint64_t seed = 1;   // of the orders in which samples are shown
};

// What the judge says of a history's usable samples: their revisions are the candidates, with their responses, the source is
// the text that they revise, and the instruction is the history's. Numbers in the verdict are the samples'. With fewer than
// two usable ones nobody is asked. Throws what the judge's system throws.
SampleVerdict judge_samples(const RoundJudge& judge, const std::string& round, const Trajectory& history,
                            const std::vector<Step>& samples);

struct RoundJudgeOptions {
    std::string judge = "scores";  // scores: the reward S_a
    CandidateJudgeSpec spec;       // what it says otherwise
    std::string guideline, aspect;
    RankBy rank_by = RankBy::judge;  // of another judge than the reward
    ChoiceAsking asking{.sampling = {.keep_histories = false, .stage = "round judge"}};
    JudgingSettings sources;
    bool is_reward() const { return judge == "scores"; }
};

// A judge with what it is made of.
class OpenedRoundJudge {
public:
    // `open` gives the judge's system, which outlives this. Throws Error as read_guideline() and make_candidate_judge() do,
    // and UsageError on an aspect that the guideline does not have, and as require_sees_guideline().
    OpenedRoundJudge(const RoundJudgeOptions& options, const PlacementOptions& placing, uint64_t seed,
                     std::function<System&(const SystemSpec&)> open);
    const RoundJudge& judge() const { return judge_; }
    Json record() const;  // for manifests

private:
    PromptFiles prompts_;
    Guideline guideline_;
    JudgingSources sources_;
    Json materials_;
    RoundJudge judge_;
};

}  // namespace craft
