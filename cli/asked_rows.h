// Rows that a command makes item by item by asking systems, kept beside its output until all are there.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/asking_run.h"
#include "cli/partial_rows.h"
#include "core/json.h"

namespace craft {

// Makes an item's row, on a thread of the item's own.
using RowMaker = std::function<Json()>;

struct AskedRows {
    std::string doing, unit;  // of the progress: "correcting", "texts"
    size_t count = 0;         // 0: not known
    // The items one after another, those that have a row among them; they may be read as they are asked for.
    std::function<std::optional<RowMaker>()> next;
};
// Items that are all there; `row` makes the row of each.
AskedRows asked_rows(std::string doing, std::string unit, size_t count, std::function<Json(size_t item)> row);
// Makes the rows that an earlier process did not leave, side by side, and calls write(row) for all of them, in order, once
// the last one is made; where nothing can be kept, as soon as those before it are done. `kept` is called whenever rows
// reached the disk and when the work ends. Says so where it goes on. Returns whether every item has a row: those that wait
// for a batch have none. Throws what AskingRun::run() does. Whoever replaces the output calls AskingRun::require_answers()
// before.
bool make_rows(const AskedRows& items, AskingRun& asking, PartialRows& partial, const std::function<void()>& kept,
               const std::function<void(const Json&)>& write);

}  // namespace craft
