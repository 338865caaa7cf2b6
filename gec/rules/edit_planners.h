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

struct GoldTeaching {
    double mistakes = 0;  // share of the sentences in which a wrong change is made first, and taken back
    // Only what error_parsing suggests and gold bears out is corrected: a model that learns it sees in each conversation
    // what speaks for the change, and learns to leave alone what nothing speaks against.
    bool observed_only = false;
    uint64_t seed = 1;
};

// The edits that lead from a sentence to its gold correction; none of a sentence that `gold` lacks. A reason is that of the
// rule that proposes the same change, where one does, and else the change itself. A wrong change is one that a rule proposes
// and gold does not have; a sentence of which rules propose none has none.
EditPlanner gold_edit_planner(std::map<std::string, std::string> gold, std::shared_ptr<const LazyEnglishPipeline> english,
                              std::shared_ptr<const CorrectionLanguage> language, const GoldTeaching& teaching = {});

}  // namespace craft
