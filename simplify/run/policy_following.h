// Whether one simplification does what its policy asks for, by rules.
#pragma once

#include <string>

#include "judge/verdicts/principles/candidate_findings.h"
#include "simplify/policy.h"

namespace craft {

// follows_lexical_paraphrasing() or follows_overall_rewriting() of it; an empty text follows no policy. Throws Error as
// candidate_findings() does.
bool follows_policy(SimplificationPolicy policy, const std::string& source, const std::string& text,
                    const PrincipleSources& sources);

}  // namespace craft
