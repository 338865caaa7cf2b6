// The eight tools of CRAFT (App. E.2) as a set, and their calls with types.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/craft/tool_call.h"
#include "tools/leniency.h"
#include "tools/tool_set.h"

namespace craft {

const ToolSet& craft_tools();

// As ParsedToolCall and ParsedToolCalls of tools/call_parser.h, with typed calls.
struct ParsedCall {
    std::string text;
    std::optional<ToolCall> call;
    std::string problem;
    BoundCall bound = {};  // what `call` is the type of; what runs
};
struct ParsedCalls {
    std::vector<ParsedCall> calls;
    std::vector<std::string> ignored;
    Leniency leniency = {};
};
// The calls in free text, of these tools.
ParsedCalls parse_calls(std::string_view text);
// Exactly one call and nothing else but white space. Throws Error naming what is wrong.
ToolCall parse_call(std::string_view text);

}  // namespace craft
