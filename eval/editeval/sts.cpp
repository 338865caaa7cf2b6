#include "eval/editeval/sts.h"

#include <charconv>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "text/csv.h"
#include "text/utf8.h"

namespace craft {

void read_sts(const std::filesystem::path& file, const std::string& prefix, EditItems& into) {
    into.files.push_back(file);
    int64_t kept = 0;
    bool first = true;
    for (const CsvRow& row : parse_csv(read_file(file), file.string())) {
        const std::string place = file.string() + ":" + std::to_string(row.line);
        if (row.fields.size() != 3)
            throw Error(place, "3 fields: sentence1, sentence2, similarity_score", std::to_string(row.fields.size()));
        const bool names = std::exchange(first, false) && row.fields[2] == "similarity_score";
        if (names) continue;
        const std::string number = trim(row.fields[2]);
        double score = -1;
        const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), score);
        if (problem != std::errc() || end != number.data() + number.size() || !(score >= 0 && score <= 5))
            throw Error(place + ": similarity_score", "a number from 0 to 5", "'" + shortened(number, 40) + "'");
        if (score != 5) {
            ++into.dropped["score below 5"];
            continue;
        }
        keep_item(
            {.id = prefix + "-" + std::to_string(kept++), .input = trim(row.fields[0]), .references = {trim(row.fields[1])}},
            into);
    }
}

}  // namespace craft
