#include "data/pair.h"

#include "core/error.h"

namespace craft {

namespace {

Json side_to_json(const PromptText& side) {
    if (const auto* text = std::get_if<std::string>(&side)) return *text;
    return to_json(std::get<std::vector<Message>>(side));
}

PromptText side_from_json(const Json& row, const std::string& name, const std::string& where) {
    const std::string place = where + ": field '" + name + "'";
    const auto found = row.find(name);
    if (found == row.end() || found->is_null()) throw Error(place, "a string or a list of messages", "none");
    if (found->is_string()) return found->get<std::string>();
    if (!found->is_array()) throw Error(place, "a string or a list of messages", found->type_name());
    return messages_from_json(*found, place);
}

// Responses without content are a matter of counting (train/examples.h), not of form.
void check_response(const PromptText& side, const std::string& place) {
    const auto* messages = std::get_if<std::vector<Message>>(&side);
    if (messages != nullptr && !messages->empty() && messages->back().role != Role::assistant)
        throw Error(place, "messages that end with the assistant's", "one of the " + role_name(messages->back().role));
}

}  // namespace

Json to_json(const Pair& pair) {
    Json row{{"prompt", side_to_json(pair.prompt)},
             {"chosen", side_to_json(pair.chosen)},
             {"rejected", side_to_json(pair.rejected)}};
    if (!pair.provenance.empty()) row["provenance"] = pair.provenance;
    return row;
}

Pair pair_from_json(const Json& row, const std::string& where) {
    if (!row.is_object()) throw Error(where, "an object", row.type_name());
    Pair pair;
    pair.prompt = side_from_json(row, "prompt", where);
    pair.chosen = side_from_json(row, "chosen", where);
    pair.rejected = side_from_json(row, "rejected", where);
    if (pair.prompt.index() != pair.chosen.index() || pair.prompt.index() != pair.rejected.index())
        throw Error(where, "prompt, chosen and rejected all strings or all lists of messages", "both kinds");
    check_response(pair.chosen, where + ": field 'chosen'");
    check_response(pair.rejected, where + ": field 'rejected'");
    if (const auto found = row.find("provenance"); found != row.end() && !found->is_null()) {
        if (!found->is_object()) throw Error(where + ": field 'provenance'", "an object", found->type_name());
        pair.provenance = *found;
    }
    return pair;
}

}  // namespace craft
