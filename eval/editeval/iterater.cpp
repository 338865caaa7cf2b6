#include "eval/editeval/iterater.h"

#include "core/rows.h"
#include "text/utf8.h"

namespace craft {

void read_iterater(const std::filesystem::path& file, const EditRowSource& source, const JsonLinesOptions& lines,
                   EditItems& into) {
    const std::string label = task_name(source.task), prefix = "iterater-" + source.split;
    into.files.push_back(file);
    JsonLinesOptions unnumbered = lines;
    unnumbered.number_rows = false;
    int64_t number = 0;
    for_each_row(file.string(), unnumbered, [&](const Json& row, const std::string& where) {
        if (is_edit_record(row)) return keep_edit_record(row, where, source, number++, into);
        const std::string of_row = string_field(row, "labels", where);
        const std::string before = string_field(row, "before_sent", where);
        // An absent revision is that of a sentence which was taken out.
        const std::string after = optional_string_field(row, "after_sent", where).value_or("");
        if (of_row != "fluency" && of_row != "clarity" && of_row != "coherence") {
            ++into.dropped["another label"];
        } else if (count_code_points(after) <= 1) {
            ++into.dropped["revision of at most one character"];
        } else {
            const std::string id = prefix + "-" + std::to_string(number++);
            if (of_row != label)
                ++into.dropped["another label"];
            else
                keep_item({.id = id, .input = trim(before), .references = {trim(after)}}, into);
        }
    });
}

}  // namespace craft
