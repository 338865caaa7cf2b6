#include "eval/editeval/edit_rows.h"

#include <algorithm>

#include "core/rows.h"
#include "core/utf8.h"
#include "text/lists.h"
#include "text/utf8.h"

namespace craft {

namespace {

struct RowKeys {
    std::string input, edits;
};

const RowKeys kCommonKeys = {"source", "references"};

// As the Hub has them.
RowKeys hub_keys(const std::string& dataset) {
    if (dataset == "jfleg") return {"sentence", "corrections"};
    if (dataset == "asset" || dataset == "turk") return {"original", "simplifications"};
    if (dataset == "stsb_multi_mt") return {"sentence1", "sentence2"};
    return kCommonKeys;
}

std::vector<std::string> texts_field(const Json& row, const std::string& name, const std::string& where) {
    if (!has_value(row, name) || !row.at(name).is_array()) return {string_field(row, name, where)};
    std::vector<std::string> texts;
    for (const Json& one : row.at(name)) {
        if (!one.is_string()) throw Error(where + ": field '" + name + "'", "texts", one.type_name());
        texts.push_back(one.get_ref<const std::string&>());
    }
    return texts;
}

// "updating" has two names in the benchmark's code.
std::string task_in_record(const Json& row, const std::string& where) {
    for (const char* key : {"tasks", "task", "task_type"})
        if (const auto task = optional_string_field(row, key, where))
            return *task == "info_addition" || *task == "insertion" ? "updating" : *task;
    return "";
}

bool is_paraphrase(const Json& row, const std::string& where) {
    if (!has_value(row, "similarity_score")) return true;
    const Json& score = row.at("similarity_score");
    const bool fits = score.is_number() && score.get<double>() >= 0 && score.get<double>() <= 5;
    if (!fits) throw Error(where + ": field 'similarity_score'", "a number from 0 to 5", shortened(dump_line(score), 40));
    return score.get<double>() == 5;
}

RowKeys keys_of(const Json& row, const std::string& dataset, const std::string& where) {
    const RowKeys hub = hub_keys(dataset);
    for (const RowKeys& keys : {hub, kCommonKeys})
        if (has_value(row, keys.input) && row.contains(keys.edits)) return keys;
    std::vector<std::string> keys;
    for (const auto& [key, value] : row.items()) keys.push_back(key);
    const auto shown = [](const RowKeys& pair) { return "'" + pair.input + "' and '" + pair.edits + "'"; };
    std::string expected = hub.input == kCommonKeys.input ? "" : shown(hub) + ", ";
    throw Error(where, "fields " + expected + shown(kCommonKeys) + ", or 'input' and 'edits'",
                keys.empty() ? "none" : shortened(one_line(join(keys, ", ")), 120));
}

}  // namespace

bool is_edit_record(const Json& row) {
    return has_value(row, "edits");
}

void read_documents(const Json& list, const std::string& where, std::vector<RetrievedDocument>& into) {
    if (!list.is_array()) throw Error(where, "a list", list.type_name());
    for (const Json& one : list) {
        if (!one.is_object()) throw Error(where, "objects with a text", one.type_name());
        const auto text = optional_string_field(one, "text", where);
        if (text && !trim_view(*text).empty())
            into.push_back({.title = optional_string_field(one, "title", where).value_or(""), .text = *text});
    }
}

void keep_edit_record(const Json& row, const std::string& where, const EditRowSource& source, int64_t number,
                      EditItems& into) {
    const std::string task = task_in_record(row, where);
    const std::string dataset = optional_string_field(row, "dataset", where).value_or("");
    if (!task.empty() && task != task_name(source.task)) {
        ++into.dropped["another task"];
        return;
    }
    if (!dataset.empty() && !source.dataset.starts_with(dataset)) {
        ++into.dropped["another data set"];
        return;
    }
    EditItem item = {.id = source.dataset + "-" + source.split + "-" + std::to_string(number),
                     .input = string_field(row, "input", where),
                     .references = texts_field(row, "edits", where)};
    if (has_value(row, "id")) item.id = id_text(row, where);
    const std::string of_all = "iterater-";
    if (source.dataset.starts_with("iterater_") && item.id.starts_with(of_all))
        item.id = source.dataset + "-" + item.id.substr(of_all.size());
    item.title = optional_string_field(row, "title", where).value_or("");
    if (has_value(row, "retrieved_documents"))
        read_documents(row.at("retrieved_documents"), where + ": field 'retrieved_documents'", item.documents);
    keep_item(std::move(item), into);
}

void read_edit_rows(const std::filesystem::path& file, const EditRowSource& source, const JsonLinesOptions& lines,
                    EditItems& into) {
    into.files.push_back(file);
    JsonLinesOptions unnumbered = lines;
    unnumbered.number_rows = false;
    int64_t number = 0, most = 0;
    for_each_row(file.string(), unnumbered, [&](const Json& row, const std::string& where) {
        if (is_edit_record(row)) {
            most = std::max(most, static_cast<int64_t>(texts_field(row, "edits", where).size()));
            keep_edit_record(row, where, source, number++, into);
            return;
        }
        const RowKeys keys = keys_of(row, source.dataset, where);
        EditItem item = {.id = "", .input = trim(string_field(row, keys.input, where)), .references = {}};
        for (const std::string& text : texts_field(row, keys.edits, where)) item.references.push_back(trim(text));
        if (source.dataset == "stsb_multi_mt" && !is_paraphrase(row, where)) {
            ++into.dropped["score below 5"];
            return;
        }
        most = std::max(most, static_cast<int64_t>(item.references.size()));
        item.id = source.dataset + "-" + source.split + "-" + std::to_string(number++);
        keep_item(std::move(item), into);
    });
    into.note_references(most);
}

}  // namespace craft
