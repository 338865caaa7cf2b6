// From a well-formed call to a tool's typed call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/call_syntax.h"
#include "tools/tool_call.h"

namespace craft {

bool is_tool_name(std::string_view name);
const std::vector<std::string>& tool_names();

struct BoundCall {
    std::optional<ToolCall> call;
    std::string problem;  // "unknown tool: ..." or "wrong arguments: ..."; empty if there is a call
};
BoundCall bind_arguments(const RawCall& raw);

}  // namespace craft
