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

// The ids that a file of predictions may have.
struct EditIds {
    std::set<std::string> known;           // of items that are there
    std::set<std::string> dropped = {};    // of rows of the data sets that their readers left out
    std::vector<std::string> absent = {};  // what ids begin with of data sets and splits that are not there: "wnc-test-"
};

class EditPredictions {
public:
    // Reads {"id","prompt","prediction"} per line; other keys are not read. A prompt may also be a whole number, which
    // stands for its digits. A prediction that is null or absent is a missing one. Rows of dropped and absent ids are left
    // out and counted. Throws Error naming file, line and field: a wrong type, any other id that is not known, an id and
    // prompt that stood before; a file in which no row has a prediction, or all rows were left out; and as JsonLinesReader
    // does.
    static EditPredictions read(const std::string& file, const EditIds& ids, const JsonLinesOptions& lines);
    // A row of such a file; false: its id and prompt have one. `where` is its place, for errors.
    bool add(const std::string& id, const std::string& prompt, std::optional<std::string> prediction,
             std::string where = "");

    // The text; null: there is none.
    const std::string* find(const std::string& id, const std::string& prompt) const;
    bool has_row(const std::string& id, const std::string& prompt) const;  // with or without a text
    // Of the prompts that stand beside any of the ids: those of `first` in that order, then the others in alphabetical
    // order.
    std::vector<std::string> prompts_of(const std::set<std::string>& ids, const std::vector<std::string>& first) const;
    // The place of a row of one of these ids and the prompt, the first in the order of ids; empty: none is known.
    std::string place_of(const std::set<std::string>& ids, const std::string& prompt) const;
    int64_t rows_of(const std::set<std::string>& ids) const;
    int64_t size() const { return size_; }
    int64_t without() const { return without_; }                                  // rows without a text
    const std::map<std::string, int64_t>& left_out() const { return left_out_; }  // rows that read() left out, by reason

private:
    struct Row {
        std::optional<std::string> text;
        std::string where;
    };
    std::unordered_map<std::string, std::map<std::string, Row>> rows_;  // by id, then prompt
    int64_t size_ = 0, without_ = 0;
    std::map<std::string, int64_t> left_out_;
};

}  // namespace craft
