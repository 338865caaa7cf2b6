#include "simplify/run/row_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/run_folder.h"
#include "simplify/run/stopwatch.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

void write_rows(const Stage& stage, const std::string& file, const MadeRows& made) {
    JsonLinesWriter writer((stage.path() / file).string());
    for (const Json& row : made.rows) writer.write(row);
    writer.close();
    stage.mark_complete({{"rows", made.rows.size()}, {"seconds", made.seconds}});
}

MadeRows read_rows(const Stage& stage, const std::string& file) {
    MadeRows made;
    const fs::path path = stage.path() / file;
    const auto [rows, seconds] = stage.read_summary([](const Json& summary) {
        return std::pair(summary.at("rows").get<size_t>(), summary.at("seconds").get<double>());
    });
    if (rows > 0) {
        JsonLinesReader reader(path.string(), {.max_line_bytes = size_t{64} << 20, .number_rows = false});
        while (auto row = reader.next()) made.rows.push_back(std::move(*row));
    }
    if (made.rows.size() != rows)
        throw Error(path.string(), std::to_string(rows) + " rows, as complete.json beside it says",
                    std::to_string(made.rows.size()), "remove " + stage.path().string() + " to recompute them");
    made.seconds = seconds;
    return made;
}

MadeRows make_part(const Stage& stage, const std::string& file, size_t begin, size_t end,
                   const std::function<std::vector<Json>(size_t, size_t)>& make) {
    const Stopwatch watch;
    MadeRows made{make(begin, end)};
    made.seconds = watch.seconds();
    write_rows(stage, file, made);
    return made;
}

}  // namespace

MadeRows rows_in_parts(const fs::path& folder, const std::string& file, size_t count, size_t part,
                       const std::function<std::vector<Json>(size_t begin, size_t end)>& make,
                       const std::function<void(size_t items)>& kept) {
    const Stage stage(folder);
    if (stage.complete()) {
        kept(count);
        return read_rows(stage, file);
    }
    const fs::path parts = folder / "parts";
    MadeRows all;
    for (size_t begin = 0; begin < count; begin += part) {
        const size_t end = std::min(begin + part, count);
        const Stage one(parts / std::to_string(begin));
        if (one.complete()) kept(end - begin);
        MadeRows made = one.complete() ? read_rows(one, file) : make_part(one, file, begin, end, make);
        std::move(made.rows.begin(), made.rows.end(), std::back_inserter(all.rows));
        all.seconds += made.seconds;
    }
    write_rows(stage, file, all);
    fs::remove_all(parts);
    return all;
}

}  // namespace craft
