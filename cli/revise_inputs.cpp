#include "cli/revise_inputs.h"

#include "core/error.h"
#include "core/rows.h"
#include "data/trajectory.h"

namespace craft {

namespace {

std::string planned_response(const Json& row, const std::string& where) {
    if (row.contains("response")) return string_field(row, "response", where);
    PlannerResponse response;
    if (!row.contains("plan") || !row["plan"].is_array())
        throw Error(where, "a field 'response', or a list 'plan' of {\"sentence\",\"plan\"}", "neither");
    for (const Json& line : row["plan"])
        response.plan.push_back({string_field(line, "sentence", where), string_field(line, "plan", where)});
    for (const Json& call : row.value("calls", Json::array())) {
        if (!call.is_string()) throw Error(where + ": field 'calls'", "a list of strings", dump_line(call));
        response.tools += (response.tools.empty() ? "" : "\n") + call.get<std::string>();
    }
    return print_response(response);
}

}  // namespace

RevisionTask revision_task(const Json& row, const std::string& where) {
    RevisionTask task;
    task.row = row;
    task.instruction.id = id_text(row, where);
    task.instruction.instruction = string_field(row, "instruction", where);
    task.instruction.text = string_field(row, "text", where);
    if (task.instruction.text.find_first_not_of(" \t\r\n") == std::string::npos)
        throw Error(where + ": field 'text'", "a text", "an empty one");
    return task;
}

GivenPlans::GivenPlans(const std::string& file, const JsonLinesOptions& lines) {
    if (file.empty()) return;
    for_each_row(file, lines, [&](const Json& row, const std::string& where) {
        const std::string id = id_text(row, where);
        if (!responses_.emplace(id, planned_response(row, where)).second)
            throw Error(where, "one plan an id", "another one of '" + id + "'");
    });
}

const std::string& GivenPlans::of(const std::string& id) const {
    const auto found = responses_.find(id);
    if (found == responses_.end()) throw Error("--plans", "a plan of '" + id + "'", "none");
    return found->second;
}

}  // namespace craft
