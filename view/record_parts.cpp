#include "view/record_parts.h"

#include <variant>

#include "data/trajectory.h"
#include "tools/craft/check.h"
#include "view/word_diff.h"

namespace craft {

namespace {

bool is_condition(const ToolCall& call) {
    return !std::holds_alternative<TextEval>(call) && !std::holds_alternative<DetectKeyword>(call) &&
           !std::holds_alternative<BoundCall>(call);
}

StyledText met_line(const std::string& call, bool met, const std::string& detail) {
    StyledText line = {{met ? "met      " : "not met  ", met ? Tone::good : Tone::bad}, {call, Tone::plain}};
    if (!detail.empty()) line.push_back({"  " + detail, Tone::quiet});
    return line;
}

void write_calls(PageWriter& page, const ParsedCalls& parsed, const std::optional<std::string>& text,
                 const std::optional<std::string>& revision) {
    std::optional<MeasuredText> before, after;
    if (text && revision) {
        before.emplace(*text);
        after.emplace(*revision);
    }
    for (const ParsedCall& one : parsed.calls) {
        if (!one.call) {
            page.line({{"no call  ", Tone::bad}, {one.text, Tone::plain}, {"  " + one.problem, Tone::quiet}}, 9);
        } else if (before && is_condition(*one.call)) {
            const CheckResult result = check(*one.call, *before, *after);
            page.line(met_line(normal_form(*one.call), result.met, result.detail), 9);
        } else {
            page.line({{"         " + normal_form(*one.call), Tone::plain}}, 9);
        }
    }
}

}  // namespace

void write_response(PageWriter& page, const std::string& response, const std::optional<std::string>& text,
                    const std::optional<std::string>& revision) {
    const PlannerResponse parts = parse_response(response);
    const ParsedCalls calls = parts.calls();
    if (parts.thought.empty() && calls.calls.empty() && parts.plan.empty()) {
        page.field("response", response);
        return;
    }
    if (!parts.thought.empty()) page.field("thought", parts.thought);
    if (!calls.calls.empty()) {
        page.line({{"calls:", Tone::label}});
        page.shift(2);
        write_calls(page, calls, text, revision);
        page.shift(-2);
    }
    if (!parts.plan.empty()) {
        page.line({{"plan:", Tone::label}});
        page.shift(2);
        for (const PlanLine& line : parts.plan)
            page.line({{"\"" + line.sentence + "\"", Tone::quiet}, {" -> ", Tone::plain}, {line.plan, Tone::plain}}, 2);
        page.shift(-2);
    }
}

void write_conditions(PageWriter& page, const Json& conditions) {
    if (!conditions.is_array() || conditions.empty()) return;
    page.line({{"conditions:", Tone::label}});
    page.shift(2);
    for (const Json& one : conditions) {
        RecordFields fields(one);
        const Json& met = fields.any("met");
        const std::string call = fields.text("call").value_or("?"), problem = fields.text("problem").value_or("");
        const std::optional<double> value = fields.number("value");
        page.line(met_line(call, met.is_boolean() && met.get<bool>(),
                           (value ? shown_number(*value) : std::string()) + (problem.empty() ? "" : " " + problem)),
                  9);
    }
    page.shift(-2);
}

void write_revision(PageWriter& page, const std::optional<std::string>& text, const std::string& revision) {
    if (text && *text == revision)
        page.field("revision", StyledText{{"the text as it was", Tone::quiet}});
    else
        page.field("revision", text ? word_diff(*text, revision) : StyledText{{revision, Tone::plain}});
}

std::string messages_text(const Json& messages) {
    if (messages.is_string()) return messages.get<std::string>();
    if (!messages.is_array()) return shown_value(messages);
    std::string all;
    for (const Json& message : messages) {
        RecordFields fields(message);
        const std::string role = fields.text("role").value_or("?");
        if (messages.size() > 1) all += (all.empty() ? "" : "\n\n") + role + ": ";
        all += shown_value(fields.any("content"));
    }
    return all;
}

void write_messages(PageWriter& page, const Json& messages) {
    if (!messages.is_array()) {
        page.line({{messages_text(messages), Tone::plain}});
        return;
    }
    for (const Json& message : messages) {
        RecordFields fields(message);
        const std::string role = fields.text("role").value_or("?");
        if (const auto reasoning = fields.text("reasoning_content"))
            page.field(role + " thinks", StyledText{{*reasoning, Tone::quiet}});
        if (const Json& content = fields.any("content"); !content.is_null()) page.field(role, shown_value(content));
        if (const Json& calls = fields.list("tool_calls"); !calls.empty()) page.field(role + " calls", dump_line(calls));
    }
}

void write_heading(PageWriter& page, const std::string& kind, RecordFields& fields) {
    StyledText behind;
    if (const Json& id = fields.any("id"); !id.is_null()) behind.push_back({" " + shown_value(id), Tone::plain});
    page.title(kind, behind);
}

}  // namespace craft
