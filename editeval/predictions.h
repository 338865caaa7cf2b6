// What systems made of a benchmark's items: one text an item and prompt.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/json.h"

namespace craft {

class EditPredictions {
public:
    // Reads {"id","prompt","prediction"} a line; other keys are not read. A prompt may also be a whole number, which stands
    // for its digits. A prediction that is null or absent is a missing one. `ids`: those that may stand in the file. Throws
    // Error naming file, line and field: a wrong type, an id that is not known, an id and prompt that stood before; and as
    // JsonLinesReader does.
    static EditPredictions read(const std::string& file, const std::set<std::string>& ids, const JsonLinesOptions& lines);
    // A row of such a file; false: its id and prompt have one.
    bool add(const std::string& id, const std::string& prompt, std::optional<std::string> prediction);

    // The text; null: there is none.
    const std::string* find(const std::string& id, const std::string& prompt) const;
    bool has_row(const std::string& id, const std::string& prompt) const;  // with or without a text
    // Of the prompts that stand beside any of the ids: those of `first` in that order, then the others in alphabetical
    // order.
    std::vector<std::string> prompts_of(const std::set<std::string>& ids, const std::vector<std::string>& first) const;
    int64_t rows_of(const std::set<std::string>& ids) const;
    int64_t size() const { return size_; }
    int64_t without() const { return without_; }  // rows without a text

private:
    std::unordered_map<std::string, std::map<std::string, std::optional<std::string>>> texts_;  // by id, then prompt
    int64_t size_ = 0, without_ = 0;
};

}  // namespace craft
