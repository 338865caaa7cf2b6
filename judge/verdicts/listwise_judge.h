// A model that is shown all candidates at once and names the best and the worst (policy simplification §2.2).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "judge/verdicts/candidate_judge.h"
#include "judge/verdicts/choice_asking.h"
#include "judge/verdicts/listwise_prompt.h"
#include "systems/system.h"

namespace craft {

// Why nobody need be asked about these candidates: "one candidate", "equal" (all of them the same text and, for a judge who
// sees responses, the same response); "" where somebody is.
std::string nothing_to_judge(const CandidateGroup& group, const std::vector<size_t>& order, bool sees_responses = false);

class ListwiseJudge : public CandidateJudge {
public:
    // `needed`: the aspects without whose verdict an answer is asked for again; empty: all of the guideline. The system must
    // outlive the judge. Throws Error on an aspect that the guideline does not have.
    ListwiseJudge(System& system, std::string name, std::shared_ptr<const ListwisePrompt> prompt,
                  std::vector<std::string> needed, ChoiceAsking asking);
    std::string name() const override { return name_; }
    // The last answer counts as a whole: what an earlier one said of other aspects is kept beside it. A failed answer ends
    // the asking. Reasons are nothing_to_judge(), ListwiseReply::problems, or a failure's name. Throws Error as
    // require_shown() and what the system throws.
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const override;
    std::vector<std::string> aspects() const;  // of the guideline; {""} where it names none
    bool sees_responses() const { return prompt_->guideline().sees_responses; }

private:
    // One answer; `judgement` gets its reasons.
    JudgingAttempt ask(const Request& request, const SamplingOptions& sampling, Judgement& judgement) const;

    System& system_;
    std::string name_;
    std::shared_ptr<const ListwisePrompt> prompt_;
    std::vector<std::string> needed_;
    ChoiceAsking asking_;
};

}  // namespace craft
