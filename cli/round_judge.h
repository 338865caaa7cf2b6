// Who ranks a round's samples in `align`: the reward, or another judge.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "align/sample_judging.h"
#include "cli/candidate_judges.h"
#include "cli/judging_materials.h"

namespace craft {

struct RoundJudgeOptions {
    std::string judge = "scores";  // scores: the reward S_a
    CandidateJudgeSpec spec;       // what it says otherwise
    std::string guideline, aspect;
    RankBy rank_by = RankBy::judge;  // of another judge than the reward
    ChoiceAsking asking{.sampling = {.keep_histories = false, .stage = "round judge"}};
    JudgingSettings sources;
    bool is_reward() const { return judge == "scores"; }
};

void bind_round_judge(OptionTable& table, RoundJudgeOptions& options);
// Reads who the judge is and adds what is wrong.
void check_round_judge(OptionTable& table, RoundJudgeOptions& options);

// A judge with what it is made of.
class OpenedRoundJudge {
public:
    // `open` gives the judge's system, which outlives this. Throws Error as read_guideline() and make_candidate_judge() do,
    // and UsageError on an aspect that the guideline does not have.
    OpenedRoundJudge(const RoundJudgeOptions& options, const CommonOptions& common,
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
