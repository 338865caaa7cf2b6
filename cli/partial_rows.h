// The rows that a command without a run folder has written so far, in OUTPUT.partial until OUTPUT is complete, so that a
// stopped command can go on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/append_file.h"
#include "core/run_folder.h"

namespace craft {

class PartialRows {
public:
    // Reads what an earlier process of the same command left, up to its last whole line. Nothing is kept beside an output
    // that is no file (stdout, a pipe). Throws Error if the rows are another command's.
    PartialRows(const std::string& output, const RunIdentity& identity);
    const std::vector<Json>& earlier() const { return earlier_; }
    void add(const std::vector<Json>& rows);
    void remove();

private:
    std::string path_;      // empty: nothing is kept
    std::string identity_;  // stands in each row as "of", for whoever goes on
    std::vector<Json> earlier_;
    std::optional<AppendFile> file_;
};

}  // namespace craft
