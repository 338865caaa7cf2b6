#include "eval/editeval/predictions.h"

#include <algorithm>

#include "core/rows.h"
#include "core/utf8.h"

namespace craft {

namespace {

std::string prompt_of(const Json& row, const std::string& where) {
    if (has_value(row, "prompt") && row.at("prompt").is_number_integer()) return row.at("prompt").dump();
    return string_field(row, "prompt", where);
}

bool begins_with_one_of(const std::string& id, const std::vector<std::string>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](const auto& one) { return id.starts_with(one); });
}

}  // namespace

EditPredictions EditPredictions::read(const std::string& file, const EditIds& ids, const JsonLinesOptions& lines) {
    EditPredictions all;
    for_each_row(file, lines, [&](const Json& row, const std::string& where) {
        const std::string id = id_text(row, where), prompt = prompt_of(row, where);
        std::optional<std::string> prediction = optional_string_field(row, "prediction", where);
        if (!ids.known.contains(id)) {
            if (ids.dropped.contains(id))
                ++all.left_out_["of skipped rows"];
            else if (begins_with_one_of(id, ids.absent))
                ++all.left_out_["of missing data sets and splits"];
            else
                throw Error(where + ": field 'id'", "an id of the available data sets",
                            "'" + shortened(one_line(id), 80) + "'");
            return;
        }
        if (!all.add(id, prompt, std::move(prediction), where))
            throw Error(where, "one row per id and prompt",
                        "another one of id '" + shortened(one_line(id), 80) + "' and prompt '" +
                            shortened(one_line(prompt), 80) + "'");
    });
    if (all.size() == 0) throw Error(file, "predictions of the available data sets", "none" + dropped_note(all.left_out_));
    if (all.size() == all.without())
        throw Error(file + ": field 'prediction'", "a text in one row at least",
                    "none in " + std::to_string(all.size()) + " rows");
    return all;
}

bool EditPredictions::add(const std::string& id, const std::string& prompt, std::optional<std::string> prediction,
                          std::string where) {
    const bool is_there = prediction.has_value();
    if (!rows_[id].emplace(prompt, Row{std::move(prediction), std::move(where)}).second) return false;
    ++size_;
    without_ += is_there ? 0 : 1;
    return true;
}

bool EditPredictions::has_row(const std::string& id, const std::string& prompt) const {
    const auto found = rows_.find(id);
    return found != rows_.end() && found->second.contains(prompt);
}

const std::string* EditPredictions::find(const std::string& id, const std::string& prompt) const {
    const auto found = rows_.find(id);
    if (found == rows_.end()) return nullptr;
    const auto row = found->second.find(prompt);
    return row == found->second.end() || !row->second.text ? nullptr : &*row->second.text;
}

std::vector<std::string> EditPredictions::prompts_of(const std::set<std::string>& ids,
                                                     const std::vector<std::string>& first) const {
    std::set<std::string> there;
    for (const std::string& id : ids)
        if (const auto found = rows_.find(id); found != rows_.end())
            for (const auto& [prompt, row] : found->second) there.insert(prompt);
    std::vector<std::string> prompts;
    for (const std::string& prompt : first)
        if (there.erase(prompt) > 0) prompts.push_back(prompt);
    prompts.insert(prompts.end(), there.begin(), there.end());
    return prompts;
}

std::string EditPredictions::place_of(const std::set<std::string>& ids, const std::string& prompt) const {
    for (const std::string& id : ids)
        if (const auto found = rows_.find(id); found != rows_.end())
            if (const auto row = found->second.find(prompt); row != found->second.end()) return row->second.where;
    return "";
}

int64_t EditPredictions::rows_of(const std::set<std::string>& ids) const {
    size_t rows = 0;
    for (const std::string& id : ids)
        if (const auto found = rows_.find(id); found != rows_.end()) rows += found->second.size();
    return static_cast<int64_t>(rows);
}

}  // namespace craft
