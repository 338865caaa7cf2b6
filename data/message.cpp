#include "data/message.h"

#include <array>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr std::array<std::pair<Role, const char*>, 4> kRoles = {
    {{Role::system, "system"}, {Role::user, "user"}, {Role::assistant, "assistant"}, {Role::tool, "tool"}}};

}  // namespace

std::string role_name(Role role) {
    for (const auto& [known, name] : kRoles)
        if (known == role) return name;
    throw std::logic_error("role_name: not a role");
}

Role role_from_name(const std::string& name, const std::string& where) {
    for (const auto& [role, known] : kRoles)
        if (name == known) return role;
    throw Error(where, "a role (system, user, assistant or tool)", "'" + shortened(name, 40) + "'");
}

Json to_json(const std::vector<Message>& messages) {
    Json array = Json::array();
    for (const Message& message : messages)
        array.push_back(Json{{"role", role_name(message.role)}, {"content", message.content}});
    return array;
}

std::vector<Message> messages_from_json(const Json& array, const std::string& where) {
    if (!array.is_array()) throw Error(where, "a list of messages", array.type_name());
    std::vector<Message> messages;
    for (const Json& row : array) {
        const std::string place = where + "[" + std::to_string(messages.size()) + "]";
        if (!row.is_object()) throw Error(place, "a message {\"role\", \"content\"}", row.type_name());
        const Role role = role_from_name(string_field(row, "role", place), place + ": field 'role'");
        messages.push_back({role, string_field(row, "content", place)});
    }
    return messages;
}

}  // namespace craft
