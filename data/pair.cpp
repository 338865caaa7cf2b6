#include "data/pair.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr const char* kEither = "a string or a list of messages";

Json side_to_json(const PromptText& side) {
    if (const auto* text = std::get_if<std::string>(&side)) return *text;
    return std::get<Conversation>(side).messages;
}

bool is_messages(const PromptText& side) {
    return std::holds_alternative<Conversation>(side);
}

const Json& messages_of(const PromptText& side) {
    return std::get<Conversation>(side).messages;
}

PromptText side_from_json(const Json& row, const std::string& name, const std::string& where, UnknownKeys* unknown) {
    const std::string place = where + ": field '" + name + "'";
    const auto found = row.find(name);
    if (found == row.end() || found->is_null()) throw Error(place, kEither, "none");
    if (found->is_string()) return found->get<std::string>();
    if (!found->is_array()) throw Error(place, kEither, found->type_name());
    Conversation side;  // an empty side is a matter of counting (train/examples.h), not of form
    if (!found->empty()) side.messages = messages_from_row(row, name, where, unknown);
    return side;
}

Json slice(const Json& messages, size_t begin, size_t end) {
    Json part = Json::array();
    for (size_t i = begin; i < end; ++i) part.push_back(messages[i]);
    return part;
}

// Where the two sides part; where one is the beginning of the other, in front of its last.
template <class List>
size_t parting(const List& chosen, const List& rejected) {
    const size_t shorter = std::min(chosen.size(), rejected.size());
    for (size_t i = 0; i < shorter; ++i)
        if (chosen[i] != rejected[i]) return i;
    return shorter == 0 ? 0 : shorter - 1;
}

// In characters, not bytes; a blank in front of the first difference is the sides'.
size_t parting_of_strings(const std::string& chosen, const std::string& rejected) {
    size_t at = parting(chosen, rejected);
    const bool differ = at < std::min(chosen.size(), rejected.size()) && chosen[at] != rejected[at];
    while (at > 0 && (static_cast<unsigned char>(chosen[at]) & 0xC0) == 0x80) --at;
    return differ && at > 0 && chosen[at - 1] == ' ' ? at - 1 : at;
}

void take_common_beginning(Pair& pair, const std::string& where) {
    size_t at = 0;
    if (is_messages(pair.chosen)) {
        Json& chosen = std::get<Conversation>(pair.chosen).messages;
        Json& rejected = std::get<Conversation>(pair.rejected).messages;
        at = parting(chosen, rejected);
        Conversation prompt;
        prompt.messages = slice(chosen, 0, at);
        pair.prompt = std::move(prompt);
        chosen = slice(chosen, at, chosen.size());
        rejected = slice(rejected, at, rejected.size());
    } else {
        auto& chosen = std::get<std::string>(pair.chosen);
        auto& rejected = std::get<std::string>(pair.rejected);
        at = parting_of_strings(chosen, rejected);
        pair.prompt = chosen.substr(0, at);
        chosen.erase(0, at);
        rejected.erase(0, at);
    }
    if (at == 0) throw Error(where, "a 'prompt', or sides with a common beginning", "neither");
}

bool begins_with(const Json& side, const Json& prompt) {
    if (side.size() <= prompt.size()) return false;
    return std::equal(prompt.begin(), prompt.end(), side.begin());
}

// A prompt of messages that stands in both sides once more.
void drop_repeated_prompt(Pair& pair) {
    const Json& prompt = messages_of(pair.prompt);
    Json& chosen = std::get<Conversation>(pair.chosen).messages;
    Json& rejected = std::get<Conversation>(pair.rejected).messages;
    if (prompt.empty() || !begins_with(chosen, prompt) || !begins_with(rejected, prompt)) return;
    chosen = slice(chosen, prompt.size(), chosen.size());
    rejected = slice(rejected, prompt.size(), rejected.size());
}

bool says(const Json& messages, const std::string& text) {
    return std::any_of(messages.begin(), messages.end(),
                       [&](const Json& message) { return message.contains("content") && message["content"] == text; });
}

void check_response(const PromptText& side, const std::string& place) {
    if (!is_messages(side) || messages_of(side).empty()) return;
    const Json& last = messages_of(side).back();
    if (!is_assistants(last))
        throw Error(place, "messages that end with the assistant's",
                    "one of the " + shortened(last["role"].get<std::string>(), 40));
}

}  // namespace

Json to_json(const Pair& pair) {
    Json row{{"prompt", side_to_json(pair.prompt)},
             {"chosen", side_to_json(pair.chosen)},
             {"rejected", side_to_json(pair.rejected)}};
    if (const auto* prompt = std::get_if<Conversation>(&pair.prompt)) add_surroundings(row, *prompt);
    if (!pair.provenance.empty()) row["provenance"] = pair.provenance;
    return row;
}

Pair pair_from_json(const Json& row, const std::string& where, UnknownKeys* unknown) {
    if (!row.is_object()) throw Error(where, "an object", row.type_name());
    Pair pair;
    pair.chosen = side_from_json(row, "chosen", where, unknown);
    pair.rejected = side_from_json(row, "rejected", where, unknown);
    const char* kinds = "prompt, chosen and rejected all strings or all lists of messages";
    if (is_messages(pair.chosen) != is_messages(pair.rejected)) throw Error(where, kinds, "both kinds");
    bool reads_string = true;
    if (!has_value(row, "prompt")) {
        take_common_beginning(pair, where);
    } else {
        pair.prompt = side_from_json(row, "prompt", where, unknown);
        if (is_messages(pair.prompt) && !is_messages(pair.chosen)) throw Error(where, kinds, "both kinds");
        if (is_messages(pair.prompt)) {
            drop_repeated_prompt(pair);
        } else if (is_messages(pair.chosen)) {
            const std::string told = std::get<std::string>(pair.prompt);
            take_common_beginning(pair, where);
            reads_string = says(messages_of(pair.prompt), told);
        }
    }
    check_response(pair.chosen, where + ": field 'chosen'");
    check_response(pair.rejected, where + ": field 'rejected'");
    if (has_value(row, "provenance")) {
        if (!row["provenance"].is_object())
            throw Error(where + ": field 'provenance'", "an object", row["provenance"].type_name());
        pair.provenance = row["provenance"];
    }
    if (auto* prompt = std::get_if<Conversation>(&pair.prompt)) {
        Conversation beside = surroundings_from_row(row, where);
        beside.messages = std::move(prompt->messages);
        if (beside.tools.is_array() && beside.tools.empty()) beside.tools = nullptr;  // as TRL's data code of pairs
        *prompt = std::move(beside);
    }
    if (unknown != nullptr) {
        if (is_messages(pair.prompt))
            unknown->see(row, {"id", "prompt", "chosen", "rejected", "provenance", "tools", "documents",
                               "chat_template_kwargs", "variables"});
        else
            unknown->see(row, {"id", "prompt", "chosen", "rejected", "provenance"});
        if (!reads_string) unknown->see({{"prompt (not what both sides begin with)", true}}, {});
    }
    return pair;
}

Completion completion_from_json(const Json& row, const std::string& where, UnknownKeys* unknown) {
    Completion read{side_from_json(row, "prompt", where, unknown), side_from_json(row, "completion", where, unknown)};
    if (is_messages(read.prompt) != is_messages(read.completion))
        throw Error(where, "prompt and completion both strings or both lists of messages", "both kinds");
    std::vector<std::string_view> known = {"id", "prompt", "completion"};
    if (auto* prompt = std::get_if<Conversation>(&read.prompt)) {
        Json messages = std::move(prompt->messages);
        *prompt = surroundings_from_row(row, where);
        prompt->messages = std::move(messages);
        known.insert(known.end(), {"tools", "documents", "chat_template_kwargs", "variables"});
    }
    if (unknown != nullptr) unknown->see(row, known);
    return read;
}

}  // namespace craft
