#include "judge/verdicts/easy_items.h"

#include "core/error.h"
#include "core/id_index.h"
#include "core/rows.h"
#include "core/utf8.h"
#include "text/utf8.h"

namespace craft {

namespace {

EasyConstraint easy_constraint(const Json& value, const std::string& where) {
    if (!value.is_object()) throw Error(where, "an object {\"kind\",\"text\"}", shortened(dump_line(value), 60));
    EasyConstraint constraint;
    const std::string kind = string_field(value, "kind", where);
    if (kind != "style" && kind != "semantic")
        throw Error(where + ": field 'kind'", "style or semantic", "'" + shortened(kind, 60) + "'");
    constraint.kind = kind == "style" ? EasyKind::style : EasyKind::semantic;
    constraint.text = string_field(value, "text", where);
    if (trim_view(constraint.text).empty()) throw Error(where + ": field 'text'", "a constraint in words", "nothing");
    return constraint;
}

}  // namespace

std::string easy_kind_name(EasyKind kind) {
    return kind == EasyKind::style ? "style" : "semantic";
}

EasyItem easy_item_from_json(const Json& row, const std::string& where) {
    EasyItem item{id_text(row, where), string_field(row, "text", where), {}};
    const std::string field = where + ": field 'constraints'";
    const auto found = row.find("constraints");
    if (found == row.end() || !found->is_array() || found->empty())
        throw Error(field, "a list of at least one constraint",
                    found == row.end() ? "none" : shortened(dump_line(*found), 60));
    for (const Json& value : *found)
        item.constraints.push_back(easy_constraint(value, field + "[" + std::to_string(item.constraints.size()) + "]"));
    return item;
}

std::vector<EasyItem> read_easy_items(const std::string& path, const JsonLinesOptions& options) {
    std::vector<EasyItem> items;
    IdIndex ids;
    for_each_row(path, options, [&](const Json& row, const std::string& where) {
        EasyItem item = easy_item_from_json(row, where);
        ids.add(item.id, items.size(), where);
        items.push_back(std::move(item));
    });
    return items;
}

}  // namespace craft
