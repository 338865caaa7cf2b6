#include "data/revised_text.h"

#include "core/id_index.h"
#include "core/rows.h"
#include "text/utf8.h"

namespace craft {

std::vector<RevisedText> read_revised_texts(const std::string& path, const JsonLinesOptions& options) {
    std::vector<RevisedText> outputs;
    IdIndex ids;
    for_each_row(path, options, [&](const Json& row, const std::string& where) {
        RevisedText output{id_text(row, where), string_field(row, "text", where), where};
        ids.add(output.id, outputs.size(), where);
        outputs.push_back(std::move(output));
    });
    return outputs;
}

bool is_empty_text(const std::string& text) {
    return trim_view(text).empty();
}

}  // namespace craft
