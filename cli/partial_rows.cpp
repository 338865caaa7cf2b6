#include "cli/partial_rows.h"

#include <filesystem>
#include <sstream>

#include "cli/resumable_run.h"
#include "core/error.h"
#include "core/files.h"
#include "core/run_manifest.h"

namespace craft {

namespace fs = std::filesystem;

PartialRows::PartialRows(const std::string& output, const RunIdentity& identity) {
    if (output == "-" || (fs::exists(output) && !fs::is_regular_file(output))) return;
    path_ = output + ".partial";
    identity_ = new_manifest(identity, {}).at("identity");
    if (!fs::exists(path_)) return;
    std::string bytes = read_file(path_);
    bytes.resize(bytes.rfind('\n') + 1);  // of none: 0
    fs::resize_file(path_, bytes.size());
    std::istringstream lines(bytes);
    for (std::string line; std::getline(lines, line);) {
        Json row = parse_json(line, path_);
        if (optional_string_field(row, "of", path_) != identity_)
            throw Error(path_, "rows that this command left when it was stopped", "those of another one",
                        "remove it, or give another --output");
        row.erase("of");
        earlier_.push_back(std::move(row));
    }
    if (!earlier_.empty()) set_resumable_run(path_);
}

void PartialRows::add(const std::vector<Json>& rows) {
    if (path_.empty()) return;
    if (!file_) file_.emplace(path_);
    for (Json row : rows) {
        row["of"] = identity_;
        file_->write(dump_line(row) + "\n");
    }
    file_->sync();
    set_resumable_run(path_);
}

void PartialRows::remove() {
    file_.reset();
    if (!path_.empty()) fs::remove(path_);
}

}  // namespace craft
