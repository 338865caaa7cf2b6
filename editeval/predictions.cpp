#include "editeval/predictions.h"

#include <algorithm>

#include "core/rows.h"
#include "core/utf8.h"

namespace craft {

namespace {

std::string prompt_of(const Json& row, const std::string& where) {
    if (has_value(row, "prompt") && row.at("prompt").is_number_integer()) return row.at("prompt").dump();
    return string_field(row, "prompt", where);
}

}  // namespace

EditPredictions EditPredictions::read(const std::string& file, const std::set<std::string>& ids,
                                      const JsonLinesOptions& lines) {
    EditPredictions all;
    for_each_row(file, lines, [&](const Json& row, const std::string& where) {
        const std::string id = id_text(row, where), prompt = prompt_of(row, where);
        if (!ids.contains(id))
            throw Error(where + ": field 'id'", "an id of the data sets that are there",
                        "'" + shortened(one_line(id), 80) + "'");
        if (!all.add(id, prompt, optional_string_field(row, "prediction", where)))
            throw Error(where, "one row an id and prompt",
                        "another one of id '" + shortened(one_line(id), 80) + "' and prompt '" +
                            shortened(one_line(prompt), 80) + "'");
    });
    return all;
}

bool EditPredictions::add(const std::string& id, const std::string& prompt, std::optional<std::string> prediction) {
    const bool is_there = prediction.has_value();
    if (!texts_[id].emplace(prompt, std::move(prediction)).second) return false;
    ++size_;
    without_ += is_there ? 0 : 1;
    return true;
}

bool EditPredictions::has_row(const std::string& id, const std::string& prompt) const {
    const auto found = texts_.find(id);
    return found != texts_.end() && found->second.contains(prompt);
}

const std::string* EditPredictions::find(const std::string& id, const std::string& prompt) const {
    const auto found = texts_.find(id);
    if (found == texts_.end()) return nullptr;
    const auto text = found->second.find(prompt);
    return text == found->second.end() || !text->second ? nullptr : &*text->second;
}

std::vector<std::string> EditPredictions::prompts_of(const std::set<std::string>& ids,
                                                     const std::vector<std::string>& first) const {
    std::set<std::string> there;
    for (const std::string& id : ids)
        if (const auto found = texts_.find(id); found != texts_.end())
            for (const auto& [prompt, text] : found->second) there.insert(prompt);
    std::vector<std::string> prompts;
    for (const std::string& prompt : first)
        if (there.erase(prompt) > 0) prompts.push_back(prompt);
    prompts.insert(prompts.end(), there.begin(), there.end());
    return prompts;
}

int64_t EditPredictions::rows_of(const std::set<std::string>& ids) const {
    size_t rows = 0;
    for (const std::string& id : ids)
        if (const auto found = texts_.find(id); found != texts_.end()) rows += found->second.size();
    return static_cast<int64_t>(rows);
}

}  // namespace craft
