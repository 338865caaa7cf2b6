// libFuzzer target: a rater's sheet (CSV). It is refused with an error, or every row of it has a mark from 1 to 5 or a
// reason why not; and what was read is read again where it is written. Run as `rating_sheet_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "simplify/ratings.h"
#include "text/csv.h"

namespace {

void check_table(const std::vector<craft::CsvRow>& rows) {
    std::string written;
    for (const craft::CsvRow& row : rows) written += craft::csv_row(row.fields);
    const std::vector<craft::CsvRow> again = craft::parse_csv(written, "again.csv");
    if (again.size() != rows.size()) std::abort();
    for (size_t i = 0; i < rows.size(); ++i) {
        if (again[i].fields != rows[i].fields) std::abort();
        for (const std::string& field : rows[i].fields)
            if (craft::with_formula(craft::without_formula(field)) != field) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    craft::RatingKey key{"lexical", {"a", "b"}, {}};
    for (int64_t i = 1; i <= 4; ++i)
        key.items.push_back({i, std::to_string((i - 1) / 2), i % 2 == 0 ? "b" : "a", "", "", craft::rating_hash("s", "t")});
    try {
        check_table(craft::parse_csv(bytes, "fuzz.csv"));
    } catch (const craft::Error&) {}
    try {
        const craft::RaterSheet sheet = craft::read_rater_sheet(bytes, "fuzz.csv", key);
        for (const auto& [item, mark] : sheet.marks)
            if (item < 1 || item > 4 || mark < 1 || mark > 5) std::abort();
        if (!sheet.marks.empty()) craft::rating_figures({sheet, sheet}, key, {});
    } catch (const craft::Error&) {}
    return 0;
}
