#include "simplify/ratings.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "core/error.h"
#include "text/csv.h"
#include "text/utf8.h"

namespace craft {

namespace {

// The heading's columns by their places.
struct SheetColumns {
    size_t item = 0, source = 0, text = 0, rating = 0, count = 0;
};

// The whole number that a field holds and nothing else.
std::optional<int64_t> whole_number(const std::string& field) {
    const std::string_view digits = trim_view(field);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

size_t column_of(const std::vector<std::string>& heading, const std::string& column, const std::string& where) {
    std::optional<size_t> found;
    for (size_t i = 0; i < heading.size(); ++i) {
        if (lowercase(trim_view(heading[i])) != column) continue;
        if (found) throw Error(where, "one column '" + column + "'", "two");
        found = i;
    }
    if (!found)
        throw Error(where, "a heading with item, source, simplification and rating", "none called '" + column + "'",
                    "save the sheet as CSV in UTF-8, with its heading");
    return *found;
}

// What separates fields in the heading: spreadsheets take what a language's decimal comma leaves.
char separator_of(std::string_view bytes) {
    const std::string_view heading = bytes.substr(0, bytes.find_first_of("\r\n"));
    for (const char separator : {',', ';', '\t'})
        if (heading.find(separator) != std::string_view::npos) return separator;
    return ',';
}

class SheetReader {
public:
    SheetReader(const std::string& name, const RatingKey& key) : key_(key) { sheet_.name = name; }

    RaterSheet read(const std::vector<CsvRow>& rows) {
        if (rows.empty()) throw Error(sheet_.name, "a heading with item, source, simplification and rating", "no row");
        const std::vector<std::string>& heading = rows[0].fields;
        const std::string where = sheet_.name + ":" + std::to_string(rows[0].line);
        columns_ = {column_of(heading, "item", where), column_of(heading, "source", where),
                    column_of(heading, "simplification", where), column_of(heading, "rating", where), heading.size()};
        count_items(rows);
        for (size_t i = 1; i < rows.size(); ++i)
            if (const std::string reason = take(rows[i]); !reason.empty()) sheet_.unusable[reason].push_back(rows[i].line);
        for (const RatingItem& one : key_.items)
            if (!times_.contains(one.item)) sheet_.absent.push_back(one.item);
        return std::move(sheet_);
    }

private:
    std::optional<int64_t> item_of(const CsvRow& row) const {
        if (row.fields.size() != columns_.count) return std::nullopt;
        const std::optional<int64_t> item = whole_number(row.fields[columns_.item]);
        const bool is_known = item && *item >= 1 && *item <= static_cast<int64_t>(key_.items.size());
        return is_known ? item : std::nullopt;
    }
    void count_items(const std::vector<CsvRow>& rows) {
        for (size_t i = 1; i < rows.size(); ++i)
            if (const std::optional<int64_t> item = item_of(rows[i])) ++times_[*item];
    }
    // Returns why the row gave no mark.
    std::string take(const CsvRow& row) {
        if (row.fields.size() != columns_.count) return "other fields";
        const std::optional<int64_t> item = item_of(row);
        if (!item) return "no item";
        if (times_[*item] > 1) return "item twice";
        const std::string hash =
            rating_hash(with_formula(row.fields[columns_.source]), with_formula(row.fields[columns_.text]));
        if (hash != key_.items[static_cast<size_t>(*item - 1)].hash) return "another text";
        const std::string& rating = row.fields[columns_.rating];
        if (trim_view(rating).empty()) return "missing";
        const std::optional<int64_t> mark = whole_number(rating);
        if (!mark) return "no whole number";
        if (*mark < RatingSheet::kLowest || *mark > RatingSheet::kHighest) return "out of range";
        sheet_.marks[*item] = *mark;
        return "";
    }

    const RatingKey& key_;
    SheetColumns columns_;
    std::map<int64_t, int64_t> times_;  // rows of each item
    RaterSheet sheet_;
};

}  // namespace

RaterSheet read_rater_sheet(std::string_view bytes, const std::string& name, const RatingKey& key) {
    return SheetReader(name, key).read(parse_csv(bytes, name, separator_of(bytes)));
}

}  // namespace craft
