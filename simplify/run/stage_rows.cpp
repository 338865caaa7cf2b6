#include "simplify/run/stage_rows.h"

#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/partial_rows.h"
#include "core/run_folder.h"
#include "simplify/run/stopwatch.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

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

}  // namespace

MadeRows stage_rows(const fs::path& folder, const std::string& file, const AskedRows& items, Asking& asking) {
    const Stage stage(folder);
    if (stage.complete()) return read_rows(stage, file);
    PartialRows rows = PartialRows::of_stage(folder / file);
    const fs::path seconds_file = folder / "seconds.json";  // of the rows that are kept
    const double earlier = rows.earlier() > 0 ? read_json_file(seconds_file).at("seconds").get<double>() : 0;
    const Stopwatch watch;
    const auto seconds = [&] { return earlier + watch.seconds(); };
    MadeRows made;
    const auto note = [&] { write_json_file(seconds_file, {{"seconds", seconds()}}); };
    const auto take = [&](const Json& of_item) { made.rows.insert(made.rows.end(), of_item.begin(), of_item.end()); };
    if (!ask_for_rows(items, asking, rows, note, take)) throw AwaitedAnswer();
    made.seconds = seconds();
    JsonLinesWriter writer((stage.path() / file).string());
    for (const Json& row : made.rows) writer.write(row);
    writer.close();
    stage.mark_complete({{"rows", made.rows.size()}, {"seconds", made.seconds}});
    rows.remove();
    fs::remove(seconds_file);
    return made;
}

}  // namespace craft
