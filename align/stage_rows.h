// Rows of JSON Lines as what a stage makes, and the counts beside them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/run_folder.h"
#include "systems/asked_rows.h"

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

// Items by their texts: those of one text are judged together (judge/reward.h).
template <class T, class TextOf>
std::vector<std::vector<size_t>> groups_by_text(const std::vector<T>& items, const TextOf& text_of) {
    std::vector<std::vector<size_t>> groups;
    std::map<std::string, size_t> group_of;
    for (size_t i = 0; i < items.size(); ++i) {
        const auto [found, is_new] = group_of.try_emplace(text_of(items[i]), groups.size());
        if (is_new) groups.emplace_back();
        groups[found->second].push_back(i);
    }
    return groups;
}

// Whether the stage is complete, as rank 0 sees it: on a network file system the others may not see it yet.
inline bool is_complete(const Stage& stage, Ranks& ranks) {
    return !ranks.exchange(ranks.is_first() && stage.complete() ? "complete" : "").front().empty();
}

// A stage whose rows all ranks make together, each its share, and which rank 0 completes while the others wait; each row is
// kept as it is made. Rank 0 calls complete(rows) with those of all items, in order, which writes the stage's files and its
// marker; it may throw, as where the rows are of no use, and the next process makes them again.
inline void complete_in_ranks(const Stage& stage, const ComputedRows& items, Ranks& ranks,
                              const std::function<void(const std::vector<Json>& rows)>& complete) {
    PartialRows partial = PartialRows::of_stage(stage.path() / "rows", ranks);
    std::vector<Json> rows;
    if (make_rows(items, partial, [&](const Json& row) { rows.push_back(row); })) {
        partial.check([&] { complete(rows); });
        partial.remove();
    }
    ranks.meet();
}

inline std::map<std::string, int64_t> counts_of(const Json& summary, const char* name) {
    return summary.at(name).get<std::map<std::string, int64_t>>();
}

}  // namespace craft
