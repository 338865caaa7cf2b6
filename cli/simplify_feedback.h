// Rounds of judged feedback as options of `simplify run` (policy simplification App. A.4).
#pragma once

#include <string>

#include "core/options.h"
#include "simplify/run/opened_feedback.h"

namespace craft {

void bind_simplify_feedback(OptionTable& table, SimplifyFeedbackOptions& options);
// Reads who judges, and adds problems; `model` is who simplifies.
void check_simplify_feedback(OptionTable& table, SimplifyFeedbackOptions& options, const std::string& model,
                             SimplificationPolicy policy);

}  // namespace craft
