#include "editeval/fruit.h"

#include "core/rows.h"
#include "editeval/fruit_marks.h"
#include "text/lists.h"

namespace craft {

void read_fruit(const std::filesystem::path& file, const std::string& prefix, const JsonLinesOptions& lines,
                EditItems& into) {
    into.files.push_back(file);
    int64_t number = 0;
    for_each_row(file.string(), lines, [&](const Json& row, const std::string& where) {
        const std::string target = string_field(row, "targets", where);
        FruitSource source = parse_fruit_source(string_field(row, "inputs", where), where + ": field 'inputs'");
        EditItem item = {.id = prefix + "-" + std::to_string(number++),
                         .input = join(source.sentences, " "),
                         .references = {resolve_fruit_target(target, source)}};
        item.documents = std::move(source.documents);
        keep_item(std::move(item), into);
    });
}

}  // namespace craft
