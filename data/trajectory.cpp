#include "data/trajectory.h"

#include <cmath>
#include <limits>

#include "core/error.h"

namespace craft {

namespace {

std::optional<double> score_field(const Json& scores, const char* name, const std::string& where) {
    const auto found = scores.find(name);
    if (found == scores.end() || found->is_null()) return std::nullopt;
    if (!found->is_number()) throw Error(where + ": field '" + name + "'", "a number or null", found->type_name());
    return found->get<double>();
}

// Thought, tools and plan are there for readers of the file; the assistant's message holds them verbatim.
Json step_to_json(const Step& step) {
    const PlannerResponse response = parse_response(step.response);
    Json tools = Json::array(), plan = Json::array();
    for (const ParsedCall& call : response.calls().calls) tools.push_back(call.text);
    for (const PlanLine& line : response.plan) plan.push_back(Json{{"sentence", line.sentence}, {"plan", line.plan}});
    return Json{{"thought", response.thought}, {"tools", std::move(tools)}, {"plan", std::move(plan)},
                {"revision", step.revision},   {"feedback", step.feedback}, {"scores", to_json(step.scores)}};
}

const Json& list_field(const Json& row, const std::string& name, const std::string& where) {
    const auto found = row.find(name);
    if (found == row.end()) throw Error(where + ": field '" + name + "'", "a list", "none");
    if (!found->is_array()) throw Error(where + ": field '" + name + "'", "a list", found->type_name());
    return *found;
}

// user, then assistant and user in turn; the last observation may be missing.
void check_order(const std::vector<Message>& messages, size_t steps, const std::string& where) {
    const std::string place = where + ": field 'messages'";
    const size_t whole = 1 + 2 * steps;
    if (messages.size() != whole && (steps == 0 || messages.size() != whole - 1))
        throw Error(place, std::to_string(whole) + " messages for " + std::to_string(steps) + " steps",
                    std::to_string(messages.size()));
    for (size_t i = 0; i < messages.size(); ++i) {
        const Role expected = i % 2 == 0 ? Role::user : Role::assistant;
        if (messages[i].role != expected)
            throw Error(place + "[" + std::to_string(i) + "]", "a message of the " + role_name(expected),
                        "one of the " + role_name(messages[i].role));
    }
}

Step step_from_json(const Json& row, const std::string& where) {
    if (!row.is_object()) throw Error(where, "an object", row.type_name());
    Step step;
    step.revision = optional_string_field(row, "revision", where).value_or("");
    step.feedback = optional_string_field(row, "feedback", where).value_or("");
    if (has_value(row, "scores")) step.scores = step_scores_from_json(row["scores"], where + ": field 'scores'");
    return step;
}

// The gold calls of `tools`, each a constraint of its own.
Json constraints_of_tools(const Json& row, const std::string& where) {
    const std::string place = where + ": field 'tools'";
    Json groups = Json::array();
    for (const Json& tool : list_field(row, "tools", where)) {
        if (!tool.is_string()) throw Error(place, "calls as strings", tool.type_name());
        const ParsedCalls parsed = parse_calls(tool.get_ref<const std::string&>());
        const bool is_end = parsed.calls.size() == 1 && parsed.calls[0].call &&
                            normal_form(*parsed.calls[0].call) == normal_form(TextEval{});
        if (!is_end) groups.push_back(Json::array({tool}));
    }
    return groups;
}

// Rows of other programs need not say what was asked for: instruction and text are then empty, and `tools` tells the calls.
Instruction instruction_of(const Json& row, const std::string& where) {
    if (row.contains("instruction") && row.contains("text") && row.contains("constraints"))
        return instruction_from_json(row, where);
    Json given = {{"id", id_text(row, where)}, {"instruction", ""}, {"text", ""}};
    for (const char* name : {"domain", "instruction", "text", "constraints", "wording"})
        if (const auto found = row.find(name); found != row.end()) given[name] = *found;
    if (given.contains("constraints")) {
        if (const auto phrases = row.find("phrases"); phrases != row.end()) given["phrases"] = *phrases;
    } else {
        given["constraints"] = constraints_of_tools(row, where);  // not those that phrases belong to
    }
    return instruction_from_json(given, where);
}

// What a step says besides its scores stands in its message once more.
void count_unknown(const Json& row, UnknownKeys& unknown) {
    unknown.see(row,
                {"id", "domain", "instruction", "text", "constraints", "tools", "wording", "phrases", "messages", "steps"});
    for (const Json& step : row["steps"])
        unknown.see(step, {"thought", "tools", "plan", "revision", "feedback", "scores"}, "step: ");
    for (const Json& message : row["messages"]) unknown.see(message, {"role", "content"}, "message: ");
}

}  // namespace

std::vector<Message> Trajectory::messages() const {
    std::vector<Message> list{{Role::user, prompt}};
    for (const Step& step : steps) {
        list.push_back({Role::assistant, step.response});
        list.push_back({Role::user, step.observation});
    }
    if (!steps.empty() && steps.back().observation.empty()) list.pop_back();  // not carried out
    return list;
}

Json to_json(const std::vector<RawQuality>& quality) {
    Json object = Json::object();
    const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
    for (const RawQuality& one : quality)
        object[one.scorer] = {{"revision", number(one.revision)}, {"text", number(one.text)}};
    return object;
}

StepScores step_scores_from_json(const Json& object, const std::string& where) {
    if (!object.is_object()) throw Error(where, "an object", object.type_name());
    StepScores scores;
    scores.s_v = score_field(object, "s_v", where);
    scores.s_c = score_field(object, "s_c", where);
    scores.s_r = score_field(object, "s_r", where);
    scores.s_a = score_field(object, "s_a", where).value_or(0);
    if (has_value(object, "raw_quality"))
        scores.quality = raw_quality_from_json(object["raw_quality"], where + ": field 'raw_quality'");
    return scores;
}

std::vector<RawQuality> raw_quality_from_json(const Json& object, const std::string& where) {
    if (!object.is_object()) throw Error(where, "an object", object.type_name());
    std::vector<RawQuality> quality;
    for (const auto& entry : object.items()) {
        if (!entry.value().is_object()) throw Error(where, "an object per scorer", entry.value().type_name());
        const auto number = [&](const char* name) {
            return score_field(entry.value(), name, where).value_or(std::numeric_limits<double>::infinity());
        };
        quality.push_back({entry.key(), number("revision"), number("text")});
    }
    return quality;
}

Json to_json(const StepScores& scores) {
    Json row{{"s_v", value_or_null(scores.s_v)},
             {"s_c", value_or_null(scores.s_c)},
             {"s_r", value_or_null(scores.s_r)},
             {"s_a", scores.s_a}};
    if (!scores.quality.empty()) row["raw_quality"] = to_json(scores.quality);
    return row;
}

Json to_json(const Trajectory& trajectory) {
    Json row = to_json(trajectory.instruction);
    row["messages"] = to_json(trajectory.messages());
    Json steps = Json::array();
    for (const Step& step : trajectory.steps) steps.push_back(step_to_json(step));
    row["steps"] = std::move(steps);
    return row;
}

Trajectory trajectory_from_json(const Json& row, const std::string& where, UnknownKeys* unknown) {
    if (!row.is_object()) throw Error(where, "an object", row.type_name());
    Trajectory trajectory;
    trajectory.instruction = instruction_of(row, where);
    const std::vector<Message> messages =
        messages_from_json(list_field(row, "messages", where), where + ": field 'messages'");
    const Json& steps = list_field(row, "steps", where);
    check_order(messages, steps.size(), where);
    trajectory.prompt = messages.front().content;
    for (size_t i = 0; i < steps.size(); ++i) {
        Step step = step_from_json(steps[i], where + ": steps[" + std::to_string(i) + "]");
        step.response = messages[1 + 2 * i].content;
        if (2 + 2 * i < messages.size()) step.observation = messages[2 + 2 * i].content;
        trajectory.steps.push_back(std::move(step));
    }
    if (unknown != nullptr) count_unknown(row, *unknown);
    return trajectory;
}

}  // namespace craft
