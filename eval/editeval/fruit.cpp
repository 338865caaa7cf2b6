#include "eval/editeval/fruit.h"

#include "core/files.h"
#include "core/rows.h"
#include "core/utf8.h"
#include "eval/editeval/fruit_marks.h"
#include "eval/editeval/tf_examples.h"
#include "text/lists.h"

namespace craft {

namespace {

void keep_fruit(std::string_view inputs, std::string_view targets, const std::string& id, const std::string& where,
                EditItems& into) {
    FruitSource source = parse_fruit_source(inputs, where + ": field 'inputs'");
    EditItem item = {.id = id, .input = join(source.sentences, " "), .references = {resolve_fruit_target(targets, source)}};
    item.documents = std::move(source.documents);
    keep_item(std::move(item), into);
}

}  // namespace

void read_fruit(const std::filesystem::path& file, const EditRowSource& source, const JsonLinesOptions& lines,
                EditItems& into) {
    const std::string prefix = source.dataset + "-" + source.split;
    into.files.push_back(file);
    JsonLinesOptions unnumbered = lines;
    unnumbered.number_rows = false;
    int64_t number = 0;
    for_each_row(file.string(), unnumbered, [&](const Json& row, const std::string& where) {
        if (is_edit_record(row)) return keep_edit_record(row, where, source, number++, into);
        const std::string targets = string_field(row, "targets", where), inputs = string_field(row, "inputs", where);
        keep_fruit(inputs, targets, prefix + "-" + std::to_string(number), where, into);
        ++number;
    });
}

void read_fruit_records(const std::vector<std::filesystem::path>& files, const std::string& prefix, EditItems& into) {
    int64_t number = 0;
    for (const std::filesystem::path& file : files) {
        into.files.push_back(file);
        const std::string bytes = read_file(file);
        int64_t record_number = 0;
        for (const std::string_view record : tf_records(bytes, file.string())) {
            const std::string where = file.string() + ": record " + std::to_string(++record_number);
            auto texts = tf_example_texts(record, where);
            const std::vector<std::string>&inputs = texts["inputs"], &targets = texts["targets"];
            if (inputs.empty() || inputs.size() != targets.size())
                throw Error(where, "as many texts 'targets' as 'inputs', at least one",
                            std::to_string(targets.size()) + " and " + std::to_string(inputs.size()));
            for (size_t i = 0; i < inputs.size(); ++i) {
                for (const std::string* text : {&inputs[i], &targets[i]})
                    if (invalid_utf8_at(*text) != std::string::npos)
                        throw Error(where, "texts in UTF-8", "bytes that are none");
                keep_fruit(inputs[i], targets[i], prefix + "-" + std::to_string(number++), where, into);
            }
        }
    }
}

}  // namespace craft
