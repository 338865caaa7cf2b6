// Rows of JSON Lines as what a stage makes, and the counts beside them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/run_folder.h"

namespace craft {

// What complete_with() wrote: a file that has lost rows since is an error.
template <class T, class Read>
std::vector<T> read_rows(const Stage& stage, const char* name, const Read& read) {
    const std::filesystem::path file = stage.path() / name;
    std::vector<T> rows;
    JsonLinesReader reader(file.string(), {.max_line_bytes = size_t{64} << 20, .number_rows = false});
    while (const auto row = reader.next()) rows.push_back(read(*row, reader.where()));
    const auto written = stage.read_summary([](const Json& summary) { return summary.at("rows").get<size_t>(); });
    if (rows.size() != written)
        throw Error(file.string(), std::to_string(written) + " rows, as complete.json beside it says",
                    std::to_string(rows.size()), "remove " + stage.path().string() + " to recompute them");
    return rows;
}

template <class T>
void complete_with(const Stage& stage, const char* name, const std::vector<T>& rows, Json summary) {
    JsonLinesWriter writer((stage.path() / name).string());
    for (const T& row : rows) writer.write(to_json(row));
    writer.close();
    summary["rows"] = rows.size();
    stage.mark_complete(summary);
}

inline std::map<std::string, int64_t> counts_of(const Json& summary, const char* name) {
    return summary.at(name).get<std::map<std::string, int64_t>>();
}

}  // namespace craft
