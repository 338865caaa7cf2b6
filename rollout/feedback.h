// What a planner reads after a step: the revision and what the tools it called found (CRAFT §5.1.1 "observation").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/trajectory.h"
#include "judge/fidelity/keyword_preservation.h"
#include "text/wording_table.h"
#include "tools/craft/check.h"

namespace craft {

// Tool feedback (one line a call of the planner: value and label), quality feedback (`quality` 0-100; absent: no scorer ran)
// and constraint feedback (which of the checked conditions are not met). Knows the planner's own calls, never gold ones.
// `names` finds what detect_keyword() tells, at most kMaxKeywords of a text and the number of the others.
std::string step_feedback(const ParsedCalls& calls, const MeasuredText& original, const MeasuredText& revision,
                          std::optional<double> quality, const WordingTable& wordings, const KeywordFinder& names);
inline constexpr size_t kMaxKeywords = 20;
// The user's message: "###OBSERVATION:", the revision, the feedback.
std::string observation_text(const std::string& revision, const std::string& feedback, const WordingTable& wordings);

}  // namespace craft
