// Which trajectories are examples for SFT (CRAFT §5.1.1: those with wrong tool usage are discarded; §6.1: C4 is for
// evaluation).
#pragma once

#include <string>

#include "data/trajectory.h"

namespace craft {

// Why a trajectory is no example of tool usage, or "": "wrong call" (a step called something that is not gold, or wrote a
// call that cannot be used), else "missing call" (a step left a gold call out). text_eval() is always right.
std::string tool_usage_problem(const Trajectory& trajectory);

inline constexpr const char* kEvaluationOnly = "c4 is for evaluation only";
// C4, or more than three constraints whatever it calls itself. Where the gold calls alone are known (no text was stored), it
// is not known how many constraints they are, and the domain decides.
bool is_for_evaluation_only(const Instruction& instruction);

}  // namespace craft
