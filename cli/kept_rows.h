// Rows that a command makes item by item by asking systems, kept beside its output until all are there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/asking_run.h"
#include "cli/partial_rows.h"
#include "core/json.h"

namespace craft {

class KeptRows {
public:
    // In OUTPUT.partial, as PartialRows does and throws; in memory where the output is no file.
    KeptRows(const std::string& output, const RunIdentity& identity, bool overwrite)
        : partial_(output, identity, overwrite) {}
    int64_t earlier() const { return partial_.earlier(); }
    // Returns whether rows reached the disk, which they do now and then.
    bool add(const Json& row);
    void for_each(const std::function<void(const Json&)>& on_row);
    void keep() { partial_.sync(); }
    void remove() { partial_.remove(); }

private:
    PartialRows partial_;
    std::vector<Json> rows_;  // where nothing is kept
};

struct RowItems {
    std::string doing, unit;  // of the progress: "correcting", "texts"
    size_t count = 0;
    std::function<Json(size_t item)> row;  // made on a thread of the item's own
};
// Makes the rows behind those that an earlier process left, side by side; `kept` is called whenever rows reached the disk
// and when the work ends. Returns whether every item has a row: those behind the first one that waits for a batch have none.
// Throws what AskingRun::run() does. Whoever has written the rows calls AskingRun::require_answers().
bool make_rows(const RowItems& items, AskingRun& asking, KeptRows& rows, const std::function<void()>& kept);

}  // namespace craft
