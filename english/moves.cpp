#include "english/moves.h"

#include <algorithm>
#include <map>

#include "core/error.h"
#include "core/json.h"
#include "english/msgpack.h"

namespace craft {

namespace {

using Counted = std::vector<std::pair<int64_t, std::string>>;

int action_number(const std::string& text, int actions, const std::string& where) {
    if (text.size() != 1 || text[0] < '0' || text[0] >= '0' + actions)
        throw Error(where, "actions from 0 to " + std::to_string(actions - 1), "'" + text.substr(0, 20) + "'");
    return text[0] - '0';
}

}  // namespace

std::vector<Move> read_moves(std::string_view bytes, int actions, const std::string& where) {
    const MsgpackValue file = parse_msgpack(bytes, where);
    const MsgpackValue* text = file.find("moves");
    if (text == nullptr || !text->is_text()) throw Error(where, "a text 'moves'", "none");
    const Json counts = parse_json(std::string(text->text), where + ": moves");
    if (!counts.is_object()) throw Error(where + ": moves", "an object", "another value");
    std::map<int, Counted> labels;
    for (const auto& [action, row] : counts.items()) {
        Counted& counted = labels[action_number(action, actions, where + ": moves")];
        if (!row.is_object()) throw Error(where + ": moves", "counts by labels", "another value");
        for (const auto& [label, count] : row.items()) {
            if (!count.is_number_integer() || count < 0)
                throw Error(where + ": moves: '" + label + "'", "a count of at least 0", dump_line(count));
            counted.emplace_back(count.get<int64_t>(), label);
        }
    }
    std::vector<Move> moves;
    for (auto& [action, counted] : labels) {
        std::sort(counted.rbegin(), counted.rend());
        for (const auto& [count, label] : counted) moves.push_back({action, label});
    }
    return moves;
}

}  // namespace craft
