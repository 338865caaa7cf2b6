#include "data/conversation.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/utf8.h"
#include "text/utf8.h"

namespace craft {

namespace {

// Those whose content templates take as it is: what a tool answered may be any JSON.
bool is_tool_role(const std::string& role) {
    return role != "system" && role != "developer" && role != "user" && role != "assistant" && role != "model";
}

void check_part(const Json& part, const std::string& where) {
    if (!part.is_object() || !part.contains("type") || !part["type"].is_string())
        throw Error(where, "a text part {\"type\": \"text\", \"text\"}", shortened(dump_line(part), 60));
    if (part["type"] != "text")
        throw Error(where, "a text part", "one of type '" + shortened(part["type"].get<std::string>(), 40) + "'",
                    "models of text alone are supported");
    string_field(part, "text", where);
}

void check_content(const Json& content, const std::string& role, const std::string& where) {
    if (content.is_string()) return;
    if (content.is_array()) {
        for (size_t i = 0; i < content.size(); ++i) {
            const bool is_part = content[i].is_object() && content[i].contains("type");
            if (is_part || !is_tool_role(role)) check_part(content[i], where + "[" + std::to_string(i) + "]");
        }
        return;
    }
    if (!is_tool_role(role)) throw Error(where, "a string or a list of text parts", content.type_name());
}

void check_calls(const Json& calls, const std::string& where) {
    const bool objects =
        calls.is_array() && std::all_of(calls.begin(), calls.end(), [](const Json& call) { return call.is_object(); });
    if (!objects) throw Error(where, "a list of objects", shortened(dump_line(calls), 60));
}

// Templates find a call as it is, or wrapped in what OpenAI has around it.
void count_keys_of_call(const Json& call, UnknownKeys& unknown) {
    if (!has_value(call, "function")) return unknown.see(call, {"id", "type", "name", "arguments"}, "tool call: ");
    unknown.see(call, {"id", "type", "function"}, "tool call: ");
    unknown.see(call["function"], {"name", "arguments"}, "tool call, function: ");
}

void count_keys(const Json& message, UnknownKeys& unknown) {
    unknown.see(
        message,
        {"role", "content", "name", "tool_calls", "tool_call_id", "reasoning_content", "thinking", "reasoning", "weight"},
        "message: ");
    if (const auto content = message.find("content"); content != message.end() && content->is_array())
        for (const Json& part : *content)
            if (part.is_object() && part.contains("type")) unknown.see(part, {"type", "text"}, "content part: ");
    if (const auto calls = message.find("tool_calls"); calls != message.end())
        for (const Json& call : *calls) count_keys_of_call(call, unknown);
}

void check_weight(const Json& weight, const std::string& where) {
    if (!weight.is_number() || (weight != 0 && weight != 1))
        throw Error(where, "0 (the turn is excluded from the loss) or 1", shortened(dump_line(weight), 40));
}

Json checked_message(const Json& row, const std::string& where, UnknownKeys* unknown) {
    if (!row.is_object()) throw Error(where, "a message {\"role\", \"content\"}", row.type_name());
    const std::string role = string_field(row, "role", where);
    if (role.empty()) throw Error(where + ": field 'role'", "a role", "an empty one");
    Json message = Json::object();
    for (const auto& [key, value] : row.items()) {
        if (value.is_null()) continue;
        const std::string field = where + ": field '" + shortened(key, 40) + "'";
        if (key == "content")
            check_content(value, role, field);
        else if (key == "tool_calls")
            check_calls(value, field);
        else if (key == "weight")
            check_weight(value, field);
        else if ((key == "name" || key == "tool_call_id" || key == "reasoning_content") && !value.is_string())
            throw Error(field, "a string", value.type_name());
        message[key] = value;
    }
    if (unknown != nullptr) count_keys(message, *unknown);
    return message;
}

Json objects_field(const Json& row, const char* name, const std::string& where) {
    if (!has_value(row, name)) return nullptr;
    const std::string field = where + ": field '" + name + "'";
    Json list = row[name];
    if (list.is_string()) list = parse_json(list.get<std::string>(), field);
    if (list.is_null()) return nullptr;
    if (!list.is_array()) throw Error(field, "a list of objects, or a JSON text of one", list.type_name());
    for (const Json& each : list)
        if (!each.is_object()) throw Error(field, "a list of objects", std::string("one of ") + each.type_name());
    return list;
}

// Names that a template has from elsewhere.
constexpr std::array<const char*, 6> kTaken = {
    "messages", "tools", "documents", "add_generation_prompt", "continue_final_message", "chat_template"};

Json variables_field(const Json& row, const std::string& where) {
    Json all = Json::object();
    for (const char* name : {"chat_template_kwargs", "variables"}) {
        if (!has_value(row, name)) continue;
        const std::string field = where + ": field '" + name + "'";
        const Json& given = row[name];
        if (!given.is_object()) throw Error(field, "an object", given.type_name());
        for (const auto& [key, value] : given.items()) {
            if (std::find(kTaken.begin(), kTaken.end(), key) != kTaken.end())
                throw Error(field, "the template's own switches", "'" + key + "'");
            if (all.contains(key)) throw Error(field, "names that 'chat_template_kwargs' does not have", "'" + key + "'");
            all[key] = value;
        }
    }
    return all;
}

}  // namespace

Json messages_from_row(const Json& row, const std::string& name, const std::string& where, UnknownKeys* unknown) {
    const std::string field = where + ": field '" + name + "'";
    const auto found = row.find(name);
    if (found == row.end() || found->is_null()) throw Error(field, "a list of messages", "none");
    if (!found->is_array()) throw Error(field, "a list of messages", found->type_name());
    if (found->empty()) throw Error(field, "a list of messages", "an empty one");
    Json messages = Json::array();
    for (const Json& message : *found)
        messages.push_back(checked_message(message, field + "[" + std::to_string(messages.size()) + "]", unknown));
    return messages;
}

Conversation conversation_from_row(const Json& row, const std::string& name, const std::string& where, UnknownKeys* unknown,
                                   std::initializer_list<std::string_view> also) {
    Conversation conversation = surroundings_from_row(row, where);
    conversation.messages = messages_from_row(row, name, where, unknown);
    if (unknown != nullptr) {
        std::vector<std::string_view> known = {"id", name, "tools", "documents", "chat_template_kwargs", "variables"};
        known.insert(known.end(), also.begin(), also.end());
        unknown->see(row, known);
    }
    return conversation;
}

Conversation surroundings_from_row(const Json& row, const std::string& where) {
    Conversation conversation;
    conversation.tools = objects_field(row, "tools", where);
    conversation.documents = objects_field(row, "documents", where);
    conversation.variables = variables_field(row, where);
    return conversation;
}

void add_surroundings(Json& row, const Conversation& conversation) {
    if (!conversation.tools.is_null()) row["tools"] = conversation.tools;
    if (!conversation.documents.is_null()) row["documents"] = conversation.documents;
    if (!conversation.variables.empty()) row["chat_template_kwargs"] = conversation.variables;
}

bool is_assistants(const Json& message) {
    const auto role = message.find("role");
    return role != message.end() && (*role == "assistant" || *role == "model");
}

bool counts_in_loss(const Json& message) {
    const auto weight = message.find("weight");
    return weight == message.end() || *weight != 0;
}

bool says_something(const Json& messages) {
    const auto has_text = [](const Json& value) {
        return value.is_string() ? !trim_view(value.get_ref<const std::string&>()).empty() : !value.empty();
    };
    for (const Json& message : messages) {
        if (!is_assistants(message)) continue;
        for (const char* key : {"content", "tool_calls", "reasoning_content", "thinking", "reasoning"})
            if (has_value(message, key) && has_text(message[key])) return true;
    }
    return false;
}

}  // namespace craft
