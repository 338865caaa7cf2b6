// Preference pairs: TRL's form {"prompt","chosen","rejected"}, strings or message lists.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "data/message.h"

namespace craft {

// A prompt as messages (goes through the chat template) or as a plain string.
using PromptText = std::variant<std::string, std::vector<Message>>;

struct Pair {
    PromptText prompt;
    PromptText chosen;  // a string, or the assistant's message(s)
    PromptText rejected;
    Json provenance = Json::object();  // scores and origins, kept in the file
};

Json to_json(const Pair& pair);
Pair pair_from_json(const Json& row, const std::string& where);

}  // namespace craft
