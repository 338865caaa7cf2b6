// What is wrong with a planner's calls, by kind (docs/definitions.md, Errors of calls).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/craft/craft_tools.h"
#include "tools/craft/tool_call.h"

namespace craft {

// The kinds, in the order in which they are told.
const std::vector<std::string>& call_error_kinds();

// How many errors of each kind; kinds without one are absent. All but "no_call" and "left_out" are of one wrong call each,
// and all but "too_many" of one missing call: so the kinds add up to the wrong and to the missing calls of score_tool_use().
using CallErrors = std::map<std::string, int64_t>;

// Of one instruction. `gold` are calls of craft_tools().
CallErrors call_errors(const ParsedCalls& predicted, const std::vector<ToolCall>& gold);

}  // namespace craft
