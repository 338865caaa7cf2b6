#include "eval/editeval/wafer.h"

#include <unordered_map>

#include "core/rows.h"
#include "eval/editeval/edit_rows.h"
#include "eval/editeval/wafer_text.h"
#include "text/utf8.h"

namespace craft {

namespace {

const Json& list_field(const Json& row, const std::string& name, const std::string& where) {
    if (!row.is_object() || !has_value(row, name)) throw Error(where + ": field '" + name + "'", "a list", "nothing");
    if (!row.at(name).is_array()) throw Error(where + ": field '" + name + "'", "a list", row.at(name).type_name());
    return row.at(name);
}

std::vector<RetrievedDocument> documents_of(const Json& row, const std::string& where) {
    std::vector<RetrievedDocument> documents;
    if (has_value(row, "output")) {
        for (const Json& output : list_field(row, "output", where))
            if (output.is_object() && has_value(output, "provenance"))
                read_documents(list_field(output, "provenance", where + ": field 'output'"), where + ": field 'provenance'",
                               documents);
    }
    if (has_value(row, "retrieved_documents"))
        read_documents(list_field(row, "retrieved_documents", where), where + ": field 'retrieved_documents'", documents);
    return documents;
}

std::string claim_of(const Json& meta, const std::string& where) {
    const Json& sentences = list_field(meta, "sentences", where);
    for (size_t i = sentences.size(); i-- > 0;) {
        if (!sentences[i].is_string()) throw Error(where + ": field 'sentences'", "strings", sentences[i].type_name());
        const auto& text = sentences[i].get_ref<const std::string&>();
        if (i + 1 < sentences.size() || (text != "B" && text != "C")) return text;
    }
    return "";
}

}  // namespace

void read_wafer(const std::filesystem::path& file, const EditRowSource& source, const JsonLinesOptions& lines,
                EditItems& into) {
    into.files.push_back(file);
    std::unordered_map<std::string, int> seen;
    int64_t number = 0;
    for_each_row(file.string(), lines, [&](const Json& row, const std::string& where) {
        if (is_edit_record(row)) return keep_edit_record(row, where, source, number++, into);
        const std::string id = id_text(row, where), input = string_field(row, "input", where);
        if (!has_value(row, "meta") || !row.at("meta").is_object())
            throw Error(where + ": field 'meta'", "an object",
                        has_value(row, "meta") ? row.at("meta").type_name() : "nothing");
        const std::string in_meta = where + ": field 'meta'";
        const std::string claim = claim_of(row.at("meta"), in_meta);
        const std::string title = string_field(row.at("meta"), "wikipedia_title", in_meta);
        std::vector<RetrievedDocument> documents = documents_of(row, where);
        try {
            WaferText text = wafer_text(input, claim);
            if (text.title != title) throw Error("another title than the article");
            const int times = ++seen[id];
            if (times > 1) ++into.noted["repeated id"];
            EditItem item = {.id = id + (times > 1 ? "#" + std::to_string(times) : ""),
                             .input = std::move(text.source),
                             .references = {std::move(text.target)},
                             .title = title};
            item.documents = std::move(documents);
            keep_item(std::move(item), into);
        } catch (const Error& error) {
            ++into.dropped[error.what()];
            into.dropped_ids.insert(id);
        }
    });
}

}  // namespace craft
