// The input of an action, read: as a JSON object by parameters' names, or as one text (GEC-Agent App. B).
#pragma once

#include <optional>
#include <string>

#include "core/json.h"
#include "tools/leniency.h"
#include "tools/tool_set.h"

namespace craft {

// An input as an object. A bare text or a JSON string is {"": TEXT}.
struct ActionInput {
    Json fields = Json::object();
    std::string problem;  // what is wrong with it, as a clause for the model; empty: nothing
    Leniency let_pass;    // "behind_input": text after the object, cut off
};
// Strings and whole numbers are taken as values; a list, an object, a number of another kind, true or null within the input,
// or as the input, is a problem. Never throws on any bytes.
ActionInput read_action_input(const std::string& text);

// The call of a tool of the set.
struct ToolCallReading {
    std::optional<BoundCall> call;
    Json fields = Json::object();  // the parameters that were given, by their names
    std::string problem;           // as ToolSet::bind() says it, or the input's; empty if there is a call
    Leniency let_pass;             // the input's
};
// A bare text goes to the tool's only parameter, or to the only one beside "sentence". A parameter "sentence" that is left
// out is the sentence as it stands.
ToolCallReading read_tool_call(const ToolSet& tools, const std::string& tool, const std::string& input,
                               const std::string& sentence);

}  // namespace craft
