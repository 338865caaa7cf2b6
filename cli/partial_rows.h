// The rows that a command without a run folder has written so far, in OUTPUT.partial until OUTPUT is complete, so that a
// stopped command can go on.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/append_file.h"
#include "core/file_lock.h"
#include "core/run_folder.h"

namespace craft {

class PartialRows {
public:
    // Looks through what an earlier process of the same command left, up to its last whole line; `overwrite` removes it.
    // Nothing is kept beside an output that is no file (stdout, a pipe). Throws Error if the rows are another command's, or
    // another process is at work on them.
    PartialRows(const std::string& output, const RunIdentity& identity, bool overwrite = false);
    // How many rows an earlier process left.
    int64_t earlier() const { return earlier_; }
    // All rows, the earlier ones and those that add() was given since, one by one.
    void for_each(const std::function<void(const Json&)>& on_row);
    // Throws Error if another process has written rows meanwhile.
    void add(const std::vector<Json>& rows);
    // Buffered rows reach the disk: what is lost by a kill behind it has to be made again.
    void sync();
    // The same unless it was done a moment ago; returns whether it was.
    bool sync_now_and_then();
    void remove();
    bool keeps() const { return !path_.empty(); }

private:
    void lock(bool is_new);  // is_new: nobody may have written rows

    std::string output_;
    std::string path_;      // empty: nothing is kept
    std::string identity_;  // stands in each row as "of", for whoever goes on
    int64_t earlier_ = 0;
    std::unique_ptr<FileLock> lock_;  // of the file, from its first row until it is removed
    std::optional<AppendFile> file_;
    std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace craft
