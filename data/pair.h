// Preference pairs and completions: TRL's forms {"prompt","chosen","rejected"} and {"prompt","completion"}, strings or
// message lists.
#pragma once

#include <string>
#include <variant>

#include "data/conversation.h"

namespace craft {

// A plain string, or messages (they go through the chat template).
using PromptText = std::variant<std::string, Conversation>;

struct Pair {
    PromptText prompt;  // messages: with their tools, documents and template variables
    PromptText chosen;  // a string, or the messages after the prompt's
    PromptText rejected;
    Json provenance = Json::object();  // scores and origins, kept in the file
};

Json to_json(const Pair& pair);

// A row's pair. Without a prompt it is what both sides begin with (TRL's rule: whole messages, or characters, a blank before
// the first difference left to the sides); it may also stand in both sides once more, as messages or, in UltraFeedback's
// form, as the string of one of them. Keys that nobody reads are counted in `unknown` (may be null). Throws Error naming
// `where` and the key on another form.
Pair pair_from_json(const Json& row, const std::string& where, UnknownKeys* unknown = nullptr);

struct Completion {
    PromptText prompt;      // messages: with their tools, documents and template variables
    PromptText completion;  // of the prompt's kind; messages: those after the prompt's
};
// Both strings or both lists of messages (TRL refuses other rows, too); either may be empty. Unknown keys and errors as of
// pairs.
Completion completion_from_json(const Json& row, const std::string& where, UnknownKeys* unknown = nullptr);

}  // namespace craft
