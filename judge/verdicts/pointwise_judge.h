// Candidates judged one by one on scales (CRAFT App. E.5); best and worst by their marks.
#pragma once

#include <string>

#include "judge/verdicts/candidate_judge.h"
#include "judge/verdicts/choice_asking.h"
#include "judge/verdicts/mark_scales.h"
#include "systems/prompt_files.h"

namespace craft {

class PointwiseJudge : public CandidateJudge {
public:
    // The system must outlive the judge. Throws Error on an unknown aspect, and on a prompt that is missing or lacks
    // {source} or {candidate}. `marks_all`: groups without two different texts, of which none is best, are marked, too.
    PointwiseJudge(System& system, std::string name, const PromptFiles& prompts, const std::string& aspect,
                   ChoiceAsking asking, bool marks_all = false);
    std::string name() const override { return name_; }
    // One question a text; candidates of the same text share its mark. No verdict: two have the best mark, or the worst
    // ("tie"), or a text has none (ChoiceReply::problem, or a failure's name). Scores are places on the scale, from 0 on;
    // marks are there of every text that has one.
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const override;

private:
    System& system_;
    std::string name_, prompt_;
    MarkScale scale_;
    ChoiceAsking asking_;
    bool marks_all_;
};

}  // namespace craft
