// What the rules teacher plans for every sentence of a text.
#pragma once

#include <string>
#include <vector>

#include "rules/goals.h"
#include "rules/plan_actions.h"
#include "rules/rules.h"

namespace craft {

// One action a sentence: what brings the unmet goals nearer, else what the wording needs.
std::vector<PlanAction> plan_sentences(const Rules& rules, const Goals& goals, const std::vector<std::string>& sentences);

}  // namespace craft
