// What evaluations by constraint share: shape names of gold calls.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "tools/craft/tool_call.h"

namespace craft {

// The shape's name; "other" for calls that have none of the 19.
std::string shape_of(const std::vector<ToolCall>& gold);

}  // namespace craft
