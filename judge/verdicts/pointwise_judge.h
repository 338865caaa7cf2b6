// Candidates judged one by one on scales (CRAFT App. E.5); best and worst by their marks.
#pragma once

#include <string>
#include <vector>

#include "judge/verdicts/candidate_judge.h"
#include "judge/verdicts/choice_asking.h"
#include "systems/prompt_files.h"

namespace craft {

struct PointwiseAspect {
    std::string name;                // its prompt is pointwise.NAME.txt
    std::vector<std::string> marks;  // worst first
};
// Of refinement: fluency, coherence, consistency, 1 to 5. Of correction: semantics, 1 to 5; grammaticality, errors left ("2
// or more", "1", "0"); overcorrection ("substantial", "moderate", "slight", "none").
const std::vector<PointwiseAspect>& pointwise_aspects();
std::vector<std::string> pointwise_aspect_names();

class PointwiseJudge : public CandidateJudge {
public:
    // The system must outlive the judge. Throws Error on an unknown aspect, and on a prompt that is missing or lacks
    // {source} or {candidate}.
    PointwiseJudge(System& system, std::string name, const PromptFiles& prompts, const std::string& aspect,
                   ChoiceAsking asking);
    std::string name() const override { return name_; }
    // One question a text; candidates of the same text share its mark. No verdict: two have the best mark, or the worst
    // ("tie"), or a text has none (ChoiceReply::problem, or a failure's name). Scores are places on the scale, from 0 on.
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const override;

private:
    System& system_;
    std::string name_, prompt_;
    PointwiseAspect aspect_;
    ChoiceAsking asking_;
};

}  // namespace craft
