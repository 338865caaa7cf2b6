#include "cli/model_rows.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "model/chat/prompt_rows.h"
#include "model/kernels/packed_batch.h"

namespace craft {

Json id_field(const Json& row, const std::string& where) {
    if (!row.contains("id") || !(row["id"].is_string() || row["id"].is_number()))
        throw Error(where, "an 'id', a string or a number", row.contains("id") ? row["id"].type_name() : "none");
    return row["id"];
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

std::vector<std::vector<size_t>> groups_by_tokens(const std::vector<int64_t>& sizes, int64_t batch_tokens) {
    const int64_t longest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    std::vector<std::vector<size_t>> groups;
    for (const auto& [begin, end] : cut_by_tokens(sizes, std::max(batch_tokens, longest))) {
        std::vector<size_t>& group = groups.emplace_back(static_cast<size_t>(end - begin));
        std::iota(group.begin(), group.end(), static_cast<size_t>(begin));
    }
    return groups;
}

}  // namespace craft
