#include "cli/text_pair_options.h"

#include "cli/common.h"
#include "cli/evaluation_options.h"

namespace craft {

void bind_text_pairs(OptionTable& table, TextPairOptions& options) {
    table.add("items", options.items, "texts: {\"id\",\"text\"} per line, - for stdin").flag("--items").input().required();
    table.add("outputs", options.outputs, "their revisions: {\"id\",\"text\"} per line, - for stdin")
        .flag("--outputs")
        .input()
        .required();
    table.add("output", options.output, "result, JSON, - for stdout").flag("--output").output();
    bind_json_lines(table, options.lines);
}

TextPairs read_text_pairs(const TextPairOptions& options, int64_t& bad_lines) {
    JsonLinesOptions lines = options.lines;
    lines.bad_lines = &bad_lines;
    std::vector<RevisedText> items = read_revised_texts(options.items, lines);
    TextPairs texts = pair_texts(std::move(items), read_revised_texts(options.outputs, lines));
    warn_of_empty_revisions({{"empty_outputs", empty_revisions(texts)}});
    return texts;
}

}  // namespace craft
