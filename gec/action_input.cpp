#include "gec/action_input.h"

#include <algorithm>

#include "core/utf8.h"
#include "text/utf8.h"

namespace craft {

namespace {

// The length of the JSON object that `text` begins with; 0: it does not end.
size_t object_length(std::string_view text) {
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\')
                ++i;
            else
                in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

std::string kind_of(const Json& value) {
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    if (value.is_null()) return "null";
    if (value.is_boolean()) return "true or false";
    return value.is_string() ? "a text" : "the number " + value.dump();
}

bool is_taken(const Json& value) {
    return value.is_string() || (value.is_number_integer() && !(value.is_number_unsigned() && value > Json(INT64_MAX)));
}

void read_object(std::string_view text, ActionInput& input) {
    const size_t length = object_length(text);
    if (length == 0) {
        input.problem = "the JSON object does not end";
        return;
    }
    note_leniency(input.let_pass, "behind_input", !trim_view(text.substr(length)).empty());
    try {
        input.fields = without_nulls(parse_json(std::string(text.substr(0, length)), "input"));
    } catch (const Error&) {
        input.problem = "it is no JSON";
        return;
    }
    for (const auto& [key, value] : input.fields.items())
        if (!is_taken(value) && input.problem.empty())
            input.problem = "'" + shortened(one_line(key), 40) + "' must be a text, not " + kind_of(value);
}

// A list or a string that the text is; null: it is none.
Json json_or_null(std::string_view text) {
    if (text.front() != '[' && text.front() != '"') return nullptr;
    try {
        return parse_json(std::string(text), "input");
    } catch (const Error&) {
        return nullptr;
    }
}

// The parameter that a bare text is for; empty: it could be for several.
std::string bare_parameter(const Tool& tool) {
    if (tool.parameters.size() == 1) return tool.parameters[0].front();
    std::string only;
    for (const ParameterNames& names : tool.parameters) {
        if (names.front() == "sentence") continue;
        if (!only.empty()) return "";
        only = names.front();
    }
    return only;
}

bool names_sentence(const ParameterNames& names, const Json& fields) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return fields.contains(name); });
}

}  // namespace

ActionInput read_action_input(const std::string& text) {
    ActionInput input;
    const std::string_view trimmed = trim_view(text);
    if (trimmed.empty()) return input;
    if (trimmed.front() == '{') {
        read_object(trimmed, input);
        return input;
    }
    const Json value = json_or_null(trimmed);
    if (value.is_array())
        input.problem = "expected a JSON object or a text, got a list";
    else
        input.fields[""] = value.is_string() ? value : Json(std::string(trimmed));
    return input;
}

ToolCallReading read_tool_call(const ToolSet& tools, const std::string& name, const std::string& text,
                               const std::string& sentence) {
    ToolCallReading reading;
    ActionInput input = read_action_input(text);
    reading.let_pass = std::move(input.let_pass);
    reading.problem = std::move(input.problem);
    const Tool* const tool = tools.find(name);
    if (!reading.problem.empty() && tool != nullptr) return reading;
    RawCall raw{name, {}};
    if (tool != nullptr) {
        if (input.fields.contains("")) {
            const std::string parameter = bare_parameter(*tool);
            if (parameter.empty()) {
                reading.problem = "give its parameters by their names, as a JSON object";
                return reading;
            }
            input.fields[parameter] = Json(input.fields[""]);
            input.fields.erase("");
        }
        reading.fields = input.fields;
        for (const ParameterNames& names : tool->parameters) {
            if (names.front() == "sentence" && !names_sentence(names, input.fields)) input.fields["sentence"] = sentence;
        }
    }
    for (const auto& [key, value] : input.fields.items())
        raw.arguments.push_back(
            {key, value.is_string() ? Argument(value.get<std::string>()) : Argument(value.get<int64_t>())});
    ToolSet::Binding binding = tools.bind(raw);
    reading.call = std::move(binding.call);
    reading.problem = std::move(binding.problem);
    return reading;
}

}  // namespace craft
