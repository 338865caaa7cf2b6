#include "simplify/run/policy_following.h"

namespace craft {

bool follows_policy(SimplificationPolicy policy, const std::string& source, const std::string& text,
                    const PrincipleSources& sources) {
    const CandidateFindings findings = candidate_findings(source, {text}, sources).at(0);
    return policy == SimplificationPolicy::lexical ? follows_lexical_paraphrasing(findings)
                                                   : follows_overall_rewriting(findings);
}

}  // namespace craft
