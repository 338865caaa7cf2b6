#include "eval/eval_items.h"

#include "core/error.h"
#include "core/utf8.h"
#include "data/instruction.h"

namespace craft {

void for_each_row(const std::string& path, const JsonLinesOptions& options,
                  const std::function<void(const Json&, const std::string&)>& on_row) {
    JsonLinesReader rows(path, options);
    bool any = false;
    while (const auto row = rows.next()) {
        try {
            on_row(*row, rows.where());
            any = true;
        } catch (const Error& error) {
            rows.reject(error.what());
        }
    }
    if (!any) throw Error(path == "-" ? "stdin" : path, "at least one row", "none");
}

std::string shape_of(const std::vector<ToolCall>& gold) {
    const auto constraint = constraint_from_calls(gold);
    return constraint ? shape_name(constraint->shape) : "other";
}

void IdIndex::add(const std::string& id, size_t row, const std::string& where) {
    if (!rows_.emplace(id, row).second) throw Error(where, "each id once", "'" + shortened(id, 80) + "' again");
}

size_t IdIndex::row_of(const std::string& id, const std::string& where) const {
    const auto found = rows_.find(id);
    if (found == rows_.end())
        throw Error(where, "an id of the items", "'" + shortened(id, 80) + "'", "do both files belong together?");
    return found->second;
}

}  // namespace craft
