// libFuzzer target: any bytes as lines of text, as WNC's lines of seven fields, as
// comma-separated values and as TensorFlow's records and examples. What is not
// refused keeps every row: as an item or as one that is counted. Run as `edit_tables_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.h"
#include "eval/editeval/tf_examples.h"
#include "eval/editeval/wnc.h"
#include "text/csv.h"
#include "text/text_lines.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    try {
        const std::vector<std::string> lines = craft::split_text_lines(bytes, "file");
        for (const std::string& line : lines) require(line.find('\n') == std::string::npos);
        craft::EditItems items;
        craft::parse_wnc(lines, "file", "wnc-test", items);
        for (const craft::EditItem& item : items.items) require(!item.input.empty() && item.references.size() == 1);
    } catch (const craft::Error&) {  // one line that says what is wrong
    }
    try {
        size_t line = 0;
        for (const craft::CsvRow& row : craft::parse_csv(bytes, "file")) {
            require(!row.fields.empty() && row.line > line);
            line = row.line;
        }
    } catch (const craft::Error&) {}
    try {
        size_t in_records = 0;
        for (const std::string_view record : craft::tf_records(bytes, "file")) in_records += record.size();
        require(in_records <= bytes.size());
    } catch (const craft::Error&) {}
    try {
        craft::tf_example_texts(bytes, "record");
    } catch (const craft::Error&) {}
    return 0;
}
