// What a planner reads after a step: the revision and what the tools it called found (CRAFT §5.1.1 "observation").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/trajectory.h"
#include "text/wording_table.h"
#include "tools/craft/check.h"

namespace craft {

// Tool feedback (one line a call of the planner: value and label), quality feedback (`quality` 0-100; absent: no scorer ran)
// and constraint feedback (which of the checked conditions are not met). Knows the planner's own calls, never gold ones.
std::string step_feedback(const ParsedCalls& calls, const MeasuredText& original, const MeasuredText& revision,
                          std::optional<double> quality, const WordingTable& wordings);
// The user's message: "###OBSERVATION:", the revision, the feedback.
std::string observation_text(const std::string& revision, const std::string& feedback, const WordingTable& wordings);

// detect_keyword(): names, and words that come up again, in their order; at most five.
std::vector<std::string> detect_keywords(const MeasuredText& text);

}  // namespace craft
