#include "gec/learner_texts.h"

#include "core/error.h"
#include "core/rows.h"
#include "text/text_lines.h"

namespace craft {

namespace {

std::vector<RevisedText> plain_lines(const std::string& bytes, const std::string& name, const JsonLinesOptions& options) {
    std::vector<RevisedText> texts;
    TextLines lines(bytes, name);
    for_each_line(options, [&, line = TextLine()]() mutable {
        if (!lines.next(line)) return false;
        const std::string id = std::to_string(line.number);
        texts.push_back({id, std::string(line.text), name + ":" + id});
        return true;
    });
    if (texts.empty()) throw Error(name, "texts", "none");
    return texts;
}

}  // namespace

std::vector<RevisedText> read_learner_texts(const std::string& path, const JsonLinesOptions& options) {
    if (path == "-" || path.ends_with(".jsonl") || path.ends_with(".json")) return read_revised_texts(path, options);
    return plain_lines(read_text(path), path, options);
}

}  // namespace craft
