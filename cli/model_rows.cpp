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

namespace {

std::vector<int64_t> column_field(const Json& row, const std::string& name, const std::string& where) {
    std::vector<int64_t> values;
    if (!row.contains(name) || row[name].is_null()) return values;
    const std::string field = where + ": field '" + name + "'";
    if (!row[name].is_array() || row[name].empty())
        throw Error(field, "a list of integers", dump_line(row[name]).substr(0, 40));
    for (const Json& value : row[name]) {
        if (!value.is_number_integer()) throw Error(field, "a list of integers", dump_line(value));
        values.push_back(value.get<int64_t>());
    }
    return values;
}

}  // namespace

EncoderRow encoder_row_field(const Json& row, const std::string& name, int64_t vocabulary, const std::string& where) {
    return {ids_field(row, name, vocabulary, where), column_field(row, "attention_mask", where),
            column_field(row, "token_type_ids", where)};
}

std::vector<std::filesystem::path> model_inputs(const std::filesystem::path& model, const std::filesystem::path& adapter,
                                                const std::string& input) {
    std::vector<std::filesystem::path> inputs = {model, input};
    if (!adapter.empty()) inputs.push_back(adapter);
    return inputs;
}

}  // namespace craft
