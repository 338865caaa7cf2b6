// Who plans for the built-in model: rules with a model of language, or gold corrections, whose traces teach.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "gec/rules/correction_plan.h"
#include "gec/rules/plan_model.h"

namespace craft {

// The planner's corrections, each with the evidence of its rule.
EditPlanner rule_edit_planner(std::shared_ptr<const CorrectionPlanner> planner);

// The edits that lead from a sentence to its gold correction; none of a sentence that `gold` lacks. A reason is that of the
// rule that proposes the same change, where one does, and else the change itself.
EditPlanner gold_edit_planner(std::map<std::string, std::string> gold, std::shared_ptr<const LazyEnglishPipeline> english,
                              std::shared_ptr<const CorrectionLanguage> language);

}  // namespace craft
