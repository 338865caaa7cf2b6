#include "cli/partial_rows.h"

#include <filesystem>
#include <fstream>

#include "cli/resumable_run.h"
#include "core/error.h"
#include "core/option_files.h"
#include "core/run_manifest.h"

namespace craft {

namespace fs = std::filesystem;

PartialRows::PartialRows(const std::string& output, const RunIdentity& identity, bool overwrite) : output_(output) {
    if (output == "-" || (fs::exists(output) && !fs::is_regular_file(output))) return;
    path_ = partial_path(output).string();
    identity_ = new_manifest(identity, {}).at("identity");
    if (!fs::exists(path_)) return;
    lock(false);
    if (overwrite) {
        remove();
        return;
    }
    std::uintmax_t whole = 0;
    std::ifstream lines(path_, std::ios::binary);
    for (std::string line; std::getline(lines, line);) {
        if (lines.eof()) break;  // no line break behind it: the process was killed while it wrote
        whole += line.size() + 1;
        const Json kept = parse_json(line, path_);
        if (optional_string_field(kept, "of", path_) != identity_ || !kept.contains("row"))  // an older version's have none
            throw Error(path_, "rows that this command left when it was stopped", "those of another one",
                        "--overwrite starts anew; or give another --output");
        ++earlier_;
    }
    lines.close();
    fs::resize_file(path_, whole);
    if (earlier_ > 0) set_resumable_run(path_);
}

void PartialRows::lock(bool is_new) {
    auto lock = std::make_unique<FileLock>(path_);
    if (!lock->is_held() || (is_new && fs::file_size(path_) > 0))
        throw Error(output_, "an output of this command alone", "one that another process is writing",
                    "wait for it, or give another --output");
    lock_ = std::move(lock);
}

void PartialRows::for_each(const std::function<void(const Json&)>& on_row) {
    if (path_.empty() || !fs::exists(path_)) return;
    sync();
    std::ifstream lines(path_, std::ios::binary);
    for (std::string line; std::getline(lines, line);) {
        on_row(parse_json(line, path_).at("row"));
    }
}

void PartialRows::add(const std::vector<Json>& rows) {
    if (path_.empty()) return;
    if (!lock_) lock(true);
    if (!file_) file_.emplace(path_);
    for (const Json& row : rows) file_->write(dump_line({{"of", identity_}, {"row", row}}) + "\n");
    set_resumable_run(path_);
}

void PartialRows::sync() {
    if (!file_) return;
    file_->flush();
    file_->sync();
}

bool PartialRows::sync_now_and_then() {
    const auto now = std::chrono::steady_clock::now();
    if (now - synced_ < std::chrono::milliseconds(300)) return false;
    sync();
    synced_ = now;
    return true;
}

void PartialRows::remove() {
    file_.reset();
    if (!path_.empty()) fs::remove(path_);
    lock_.reset();
}

}  // namespace craft
