#include "rollout/revision_inputs.h"

#include <algorithm>

#include "core/error.h"
#include "core/rows.h"
#include "core/utf8.h"
#include "data/revised_text.h"
#include "data/trajectory.h"

namespace craft {

namespace {

std::string planned_response(const Json& row, const std::string& where) {
    if (row.contains("response")) return string_field(row, "response", where);
    PlannerResponse response;
    if (!row.contains("plan") || !row["plan"].is_array())
        throw Error(where, "a field 'response', or a list 'plan' of {\"sentence\",\"plan\"}",
                    row.contains("plan") ? "'plan' " + shortened(dump_line(row["plan"]), 60) : "neither");
    for (const Json& line : row["plan"])
        response.plan.push_back({string_field(line, "sentence", where), string_field(line, "plan", where)});
    const Json calls = row.value("calls", Json::array());
    if (!calls.is_array()) throw Error(where + ": field 'calls'", "a list of strings", shortened(dump_line(calls), 60));
    for (const Json& call : calls) {
        if (!call.is_string()) throw Error(where + ": field 'calls'", "a list of strings", dump_line(call));
        response.tools += (response.tools.empty() ? "" : "\n") + call.get<std::string>();
    }
    return print_response(response);
}

std::string filled_field(const Json& row, const char* name, const char* expected, const std::string& where) {
    std::string text = string_field(row, name, where);
    if (is_empty_text(text)) throw Error(where + ": field '" + name + "'", expected, "an empty one");
    return text;
}

}  // namespace

RevisionTask revision_task(const Json& row, const std::string& where, GivenPlans& plans, const TokenBudgets& budgets) {
    RevisionTask task;
    task.row = row;
    task.instruction.id = id_text(row, where);
    task.instruction.instruction = filled_field(row, "instruction", "an instruction", where);
    task.instruction.text = filled_field(row, "text", "a text", where);
    plans.expect(task.instruction.id, where);
    task.tokens = budgets.of(task.instruction.id, where);
    return task;
}

GivenPlans::GivenPlans(const std::string& file, const JsonLinesOptions& lines) : file_(file) {
    if (file.empty()) return;
    for_each_row(file, lines, [&](const Json& row, const std::string& where) {
        const std::string id = id_text(row, where);
        Plan plan{{.text = planned_response(row, where)}};
        if (row.contains("cut") && row["cut"] == true) plan.response.status = Reply::Status::cut;
        if (has_value(row, "failed")) plan.response = Reply::failed(Failure::no_content, "the planner's answer failed");
        if (!plans_.emplace(id, std::move(plan)).second)
            throw Error(where, "one plan per id", "another one of '" + id + "'");
    });
}

void GivenPlans::expect(const std::string& id, const std::string& where) {
    if (empty()) return;
    const auto found = plans_.find(id);
    if (found == plans_.end()) throw Error(where, "a text that " + file_ + " has a plan of", "'" + id + "'");
    found->second.is_used = true;
}

const Reply& GivenPlans::of(const std::string& id) const {
    return plans_.at(id).response;
}

TokenBudgets::TokenBudgets(const std::string& file, const JsonLinesOptions& lines) : file_(file) {
    if (file.empty()) return;
    for_each_row(file, lines, [&](const Json& row, const std::string& where) {
        const std::string id = id_text(row, where);
        const Json cost = row.value("cost", Json());
        int64_t tokens = 0;
        for (const char* key : {"input_tokens", "output_tokens"}) {
            if (!cost.is_object() || !cost.contains(key) || !cost[key].is_number_unsigned())
                throw Error(where + ": field 'cost'", "the tokens of a text, as `revise` writes them",
                            shortened(dump_line(cost), 60));
            tokens += cost[key].get<int64_t>();
        }
        if (tokens == 0) throw Error(where + ": field 'cost'", "tokens of a model", "none");
        if (!tokens_.emplace(id, tokens).second) throw Error(where, "one row per id", "another one of '" + id + "'");
    });
}

std::optional<int64_t> TokenBudgets::of(const std::string& id, const std::string& where) const {
    if (file_.empty()) return std::nullopt;
    const auto found = tokens_.find(id);
    if (found == tokens_.end()) throw Error(where, "a text that " + file_ + " has a row of", "'" + id + "'");
    return found->second;
}

int64_t GivenPlans::unused() const {
    return std::count_if(plans_.begin(), plans_.end(), [](const auto& plan) { return !plan.second.is_used; });
}

}  // namespace craft
