// The judge by rules: every principle of the sentence guideline computed (policy simplification §2.2).
#pragma once

#include "judge/verdicts/candidate_judge.h"
#include "judge/verdicts/principles/candidate_findings.h"

namespace craft {

class PrinciplesJudge : public CandidateJudge {
public:
    // `aspects`: of Lexical, Structural and Overall, in any case, which its verdicts are of. Throws Error on another one,
    // and where there is none, as in the guideline of documents: the rules know sentences.
    PrinciplesJudge(std::string name, std::vector<std::string> aspects, PrincipleSources sources,
                    PrincipleLimits limits = {});

    std::string name() const override { return name_; }
    // The reply says of each candidate what it meets, as a model's would. Where candidates meet the same, those win whose
    // words became easier, or whose structure did; of those that are equal in that too the first in `order`, so that orders
    // that are drawn draw among them. Reasons for no verdict: "tie" (all are equal in everything), or nothing_to_judge().
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const override;
    // The same of one candidate: what it meets under an aspect, in words. Throws Error on an aspect that the rules do not
    // know.
    std::string report(const std::string& source, const std::string& candidate, const std::string& aspect) const;

private:
    std::string name_;
    std::vector<std::string> aspects_;
    PrincipleSources sources_;
    PrincipleLimits limits_;
};

}  // namespace craft
