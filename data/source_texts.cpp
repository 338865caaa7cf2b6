#include "data/source_texts.h"

#include <unordered_map>

#include "text/utf8.h"

namespace craft {

namespace {

using ById = std::unordered_map<std::string, size_t>;

std::vector<SourceText> read_texts(const std::string& path, const JsonLinesOptions& lines, ById& by_id) {
    std::vector<SourceText> texts;
    JsonLinesReader reader(path, lines);
    while (const auto row = reader.next()) {
        try {
            SourceText text{string_field(*row, "id", reader.where()), string_field(*row, "text", reader.where()), ""};
            if (trim(text.text).empty()) throw Error("the text is empty");
            if (!by_id.emplace(text.id, texts.size()).second) throw Error("the id '" + text.id + "' stands twice");
            texts.push_back(std::move(text));
        } catch (const Error& error) {
            reader.reject(error.what());
        }
    }
    if (texts.empty()) throw Error(path, "at least one text", "none");
    return texts;
}

}  // namespace

std::vector<SourceText> read_source_texts(const std::string& texts, const std::string& revisions,
                                          const JsonLinesOptions& lines) {
    ById by_id;
    std::vector<SourceText> out = read_texts(texts, lines, by_id);
    if (revisions.empty()) return out;
    ById revised;
    for (auto& revision : read_texts(revisions, lines, revised)) {
        const auto found = by_id.find(revision.id);
        if (found == by_id.end()) throw Error(revisions, "ids of " + texts, "'" + revision.id + "'");
        out[found->second].revision = std::move(revision.text);
    }
    for (const auto& text : out)
        if (text.revision.empty()) throw Error(revisions, "a revision of every text", "none of '" + text.id + "'");
    return out;
}

}  // namespace craft
