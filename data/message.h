// Chat messages: what every system reads and writes.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

enum class Role { system, user, assistant, tool };

struct Message {
    Role role = Role::user;
    std::string content;
    bool operator==(const Message&) const = default;
};

std::string role_name(Role role);
Role role_from_name(const std::string& name, const std::string& where);
Json to_json(const std::vector<Message>& messages);
std::vector<Message> messages_from_json(const Json& array, const std::string& where);

}  // namespace craft
