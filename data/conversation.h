// Conversations as files have them: TRL's and OpenAI's rows. One record and one reading of it for every command and system.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "core/unknown_keys.h"
#include "data/message.h"

namespace craft {

// What a chat template is given, as transformers' apply_chat_template takes it.
struct Conversation {
    Conversation() = default;
    Conversation(const std::vector<Message>& said) : messages(to_json(said)) {}
    Conversation(std::initializer_list<Message> said) : Conversation(std::vector<Message>(said)) {}

    Json messages = Json::array();  // {"role", "content", "tool_calls", ...}; keys without a value are left out
    Json tools;                     // a list of JSON schemas; null: none
    Json documents;                 // a list of objects; null: none
    Json variables =
        Json::object();  // the template's own switches ("chat_template_kwargs"): enable_thinking, date_string ...
    bool operator==(const Conversation&) const = default;
};

// The messages under a row's key `name`: at least one, each an object with a role. Content is a string, a list of text parts
// or, of tools, any other value. Keys without a value are left out; those that are not OpenAI's or TRL's, of messages, parts
// and calls, go to the template as they are, and are counted in `unknown` (may be null). Throws Error naming message and
// key: no or wrong role, a part that is not text (images), tool_calls that are not a list of objects, a weight other than 0
// and 1.
Json messages_from_row(const Json& row, const std::string& name, const std::string& where, UnknownKeys* unknown);

// The same with what stands beside them: "tools" (a list, or a JSON text of one), "documents", and
// "chat_template_kwargs", which may also be called "variables". Other keys of the row, but "id" and those that the caller
// reads (`also`), are counted in `unknown`. Throws Error on other types, and on a template variable that has a place of its
// own ("messages").
Conversation conversation_from_row(const Json& row, const std::string& name, const std::string& where, UnknownKeys* unknown,
                                   std::initializer_list<std::string_view> also = {});
// What stands beside the messages alone.
Conversation surroundings_from_row(const Json& row, const std::string& where);
// Writes what stands beside the messages into a row, where there is any.
void add_surroundings(Json& row, const Conversation& conversation);

// Whether a message is the assistant's, which some templates call the model.
bool is_assistants(const Json& message);
// Whether an assistant's message counts in a loss: its "weight" is absent or 1, not 0.
bool counts_in_loss(const Json& message);
// Whether the assistant says anything at all: content that is no white space, a call or reasoning.
bool says_something(const Json& messages);

}  // namespace craft
