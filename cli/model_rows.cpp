#include "cli/model_rows.h"

#include "core/error.h"

namespace craft {

Json id_field(const Json& row, const std::string& where) {
    if (!row.contains("id") || !(row["id"].is_string() || row["id"].is_number()))
        throw Error(where, "an 'id', a string or a number", row.contains("id") ? row["id"].type_name() : "none");
    return row["id"];
}

void check_ids(const std::vector<int64_t>& ids, int64_t vocabulary, const std::string& where) {
    for (const int64_t id : ids)
        if (id < 0 || id >= vocabulary)
            throw Error(where, "token ids below the model's vocabulary of " + std::to_string(vocabulary), std::to_string(id),
                        "the tokenizer has tokens that the model does not");
}

std::vector<int64_t> ids_field(const Json& row, const std::string& name, int64_t vocabulary, const std::string& where) {
    const std::string field = where + ": field '" + name + "'";
    if (!row.contains(name) || !row[name].is_array() || row[name].empty())
        throw Error(field, "a list of token ids", row.contains(name) ? dump_line(row[name]).substr(0, 40) : "none");
    std::vector<int64_t> ids;
    for (const Json& id : row[name]) {
        if (!id.is_number_integer() || id < 0 || id >= vocabulary)
            throw Error(field, "token ids below the vocabulary's " + std::to_string(vocabulary), dump_line(id));
        ids.push_back(id.get<int64_t>());
    }
    return ids;
}

}  // namespace craft
