#include "gec/agent_trace.h"

#include <array>
#include <set>

#include "core/error.h"

namespace craft {

namespace {

constexpr std::array<const char*, 4> kEnds = {"final", "steps", "repeat", "failed"};

Json step_json(const AgentStep& step) {
    Json row = Json::object();
    const auto add = [&](const char* key, const std::string& text) {
        if (!text.empty()) row[key] = text;
    };
    add("thought", step.reply.thought);
    add("reflection", step.reply.reflection);
    add("action", step.reply.action);
    add("input", step.reply.input);
    if (step.reply.answer) row["answer"] = *step.reply.answer;
    add("problem", step.reply.problem);
    add("reply", step.raw);
    if (!step.reply.let_pass.empty()) row["let_pass"] = leniency_kinds(step.reply.let_pass);
    add("refused", step.refused);
    add("error", step.error);
    if (step.seconds > 0) row["seconds"] = step.seconds;
    add("observation", step.observation);
    row["sentence"] = step.sentence;
    return row;
}

std::vector<std::string> texts_of(const Json& row, const char* key, const std::string& where) {
    std::vector<std::string> texts;
    if (!has_value(row, key)) return texts;
    if (!row[key].is_array()) throw Error(where + ": field '" + key + "'", "a list of texts", row[key].type_name());
    for (const Json& text : row[key]) {
        if (!text.is_string()) throw Error(where + ": field '" + key + "'", "a list of texts", text.type_name());
        texts.push_back(text);
    }
    return texts;
}

double seconds_field(const Json& row, const std::string& where) {
    if (!has_value(row, "seconds")) return 0;
    if (!row["seconds"].is_number()) throw Error(where + ": field 'seconds'", "a number", row["seconds"].type_name());
    return row["seconds"];
}

AgentStep step_from_json(const Json& row, const std::string& where) {
    if (!row.is_object()) throw Error(where, "a step", row.type_name());
    const auto text = [&](const char* key) { return optional_string_field(row, key, where).value_or(""); };
    AgentStep step;
    step.reply.thought = text("thought");
    step.reply.reflection = text("reflection");
    step.reply.action = text("action");
    step.reply.input = text("input");
    step.reply.answer = optional_string_field(row, "answer", where);
    step.reply.problem = text("problem");
    step.reply.let_pass = leniency_of(texts_of(row, "let_pass", where));
    step.raw = text("reply");
    step.refused = text("refused");
    step.error = text("error");
    step.seconds = seconds_field(row, where);
    step.observation = text("observation");
    step.sentence = string_field(row, "sentence", where);
    return step;
}

}  // namespace

std::map<std::string, int64_t> actions_of(const AgentTrace& trace) {
    std::map<std::string, int64_t> actions;
    std::set<std::string> unknown;  // a repeated one is refused for that alone
    for (const AgentStep& step : trace.steps) {
        const std::string& name = step.reply.action;
        if (name.empty()) continue;
        if (step.refused == "unknown_action") unknown.insert(name);
        ++actions[unknown.contains(name) ? "unknown action" : name];
    }
    return actions;
}

const char* agent_end_name(AgentEnd ended) {
    return kEnds.at(static_cast<size_t>(ended));
}

Json to_json(const AgentTrace& trace) {
    Json row = {{"source", trace.source}, {"text", trace.text}, {"steps", Json::array()}};
    for (const AgentStep& step : trace.steps) row["steps"].push_back(step_json(step));
    row["ended"] = agent_end_name(trace.ended);
    if (!trace.failure.empty()) row["failure"] = trace.failure;
    if (!trace.not_asked.empty()) row["not_asked"] = trace.not_asked;
    if (!trace.unnamed.empty()) row["unnamed"] = trace.unnamed;
    if (!trace.noted.empty()) row["noted"] = trace.noted;
    row["seconds"] = trace.seconds;
    return row;
}

AgentTrace agent_trace_from_json(const Json& row, const std::string& where) {
    if (!row.is_object()) throw Error(where, "a trace {\"source\",\"text\",\"steps\",\"ended\"}", row.type_name());
    AgentTrace trace;
    trace.source = string_field(row, "source", where);
    trace.text = string_field(row, "text", where);
    if (!row.contains("steps") || !row["steps"].is_array()) throw Error(where + ": field 'steps'", "a list of steps");
    for (const Json& step : row["steps"])
        trace.steps.push_back(step_from_json(step, where + ": steps[" + std::to_string(trace.steps.size()) + "]"));
    const std::string ended = string_field(row, "ended", where);
    size_t i = 0;
    while (i < kEnds.size() && ended != kEnds[i]) ++i;
    if (i == kEnds.size()) throw Error(where + ": field 'ended'", "final, steps, repeat or failed", "'" + ended + "'");
    trace.ended = static_cast<AgentEnd>(i);
    trace.failure = optional_string_field(row, "failure", where).value_or("");
    trace.not_asked = optional_string_field(row, "not_asked", where).value_or("");
    trace.unnamed = texts_of(row, "unnamed", where);
    if (has_value(row, "noted")) {
        if (!row["noted"].is_object()) throw Error(where + ": field 'noted'", "counts", row["noted"].type_name());
        for (const auto& [kind, count] : row["noted"].items()) {
            if (!count.is_number_integer()) throw Error(where + ": noted." + kind, "a whole number", count.type_name());
            trace.noted[kind] = count;
        }
    }
    trace.seconds = seconds_field(row, where);
    return trace;
}

}  // namespace craft
