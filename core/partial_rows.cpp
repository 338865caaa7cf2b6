#include "core/partial_rows.h"

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/log.h"
#include "core/option_files.h"
#include "core/output_place.h"
#include "core/run_folder.h"
#include "core/run_manifest.h"
#include "core/utf8.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHowToGoOn = "use the earlier value to resume, or --overwrite to start over";
constexpr const char* kFailed = "failed";  // the last line's key where a run came to its end and its rows were no output

}  // namespace

PartialRows::PartialRows(const std::string& output, const RunIdentity& identity, bool overwrite) : output_(output) {
    if (is_written_directly(output)) return;
    path_ = partial_path(output).string();
    const Json manifest = new_manifest(identity, {});
    Json run = Json::object();
    for (const char* part : {"identity", "compared", "data_hashes"}) run[part] = manifest.at(part);
    heading_ = dump_line({{"run", run}}) + "\n";
    if (!fs::exists(path_)) return;
    lock(false);
    if (overwrite) {
        if (!are_own_rows(path_)) throw Error(path_, "rows that a command left", "another file", "move it");
        remove();
        return;
    }
    read_earlier(run);
    if (earlier_ > 0) set_resumable_run(path_);
}

void PartialRows::read_earlier(const Json& run) {
    std::ifstream lines(path_, std::ios::binary);
    for (std::string line; std::getline(lines, line);) {
        if (lines.eof()) break;  // no line break after it: the process was killed while it wrote
        const Json kept = parse_json(line, path_);
        if (end_ > 0 && kept.is_object() && kept.contains(kFailed)) {
            log_info("the command failed before: its rows are recomputed", {{"rows", earlier_}});
            lines.close();
            return start_again();
        }
        if (!kept.is_object() || !kept.contains(end_ == 0 ? "run" : "item"))
            throw Error(path_, "rows of this version of craft-train", "those of another one", "--overwrite starts over");
        if (end_ == 0) {
            if (const auto other = run_difference(kept["run"], run))
                throw Error(path_, other->what + " " + shortened(other->before, 200) + ", by which these rows were made",
                            shortened(other->now, 200), kHowToGoOn);
        } else {
            const auto item = kept["item"].get<size_t>();
            if (item >= places_.size()) places_.resize(item + 1, -1);
            places_[item] = end_;
            ++earlier_;
        }
        end_ += static_cast<int64_t>(line.size()) + 1;
    }
    lines.close();
    fs::resize_file(path_, static_cast<std::uintmax_t>(end_));
}

void PartialRows::start_again() {
    remove();
    places_.clear();
    end_ = 0;
    earlier_ = 0;
}

void PartialRows::lock(bool is_new) {
    auto lock = std::make_unique<FileLock>(path_);
    if (!lock->is_held() || (is_new && fs::file_size(path_) > 0))
        throw Error(output_, "an output that no other process writes", "one that another process is writing",
                    "wait for it, or give another --output");
    lock_ = std::move(lock);
}

void PartialRows::for_each(const std::function<void(const Json&)>& on_row) {
    for (; !memory_.empty() && memory_.begin()->first == told_; ++told_) {
        on_row(memory_.begin()->second);
        memory_.erase(memory_.begin());
    }
    if (path_.empty() || !fs::exists(path_)) return;
    sync();
    std::ifstream lines(path_, std::ios::binary);
    int64_t at = 0;
    for (const int64_t place : places_) {
        if (place < 0) continue;
        if (place != at) lines.seekg(place);
        std::string line;
        std::getline(lines, line);
        at = place + static_cast<int64_t>(line.size()) + 1;
        on_row(parse_json(line, path_).at("row"));
    }
}

bool PartialRows::add(size_t item, const Json& row) {
    if (path_.empty()) {
        memory_.emplace(item, row);
        return false;
    }
    if (!lock_) lock(true);
    if (!file_) file_.emplace(path_);
    std::string line = dump_line({{"item", item}, {"row", row}}) + "\n";
    if (end_ == 0) {
        file_->write(heading_);
        end_ = std::ssize(heading_);
    }
    if (item >= places_.size()) places_.resize(item + 1, -1);
    places_[item] = end_;
    end_ += std::ssize(line);
    file_->write(line);
    set_resumable_run(path_);
    return file_->sync_now_and_then();
}

void PartialRows::sync() {
    if (file_) file_->sync();
}

void PartialRows::remove() {
    file_.reset();
    if (!path_.empty()) fs::remove(path_);
    lock_.reset();
}

void PartialRows::check(const std::function<void()>& usable) {
    try {
        usable();
    } catch (const Error&) {
        if (file_ || earlier_ > 0) {
            if (!file_) file_.emplace(path_);
            file_->write(dump_line({{kFailed, true}}) + "\n");
            sync();
        }
        throw;
    }
}

void keep_failed_rows(const std::string& output, const RunIdentity& identity, const std::vector<Json>& rows) {
    if (is_written_directly(output)) {
        JsonLinesWriter writer(output);
        for (const Json& row : rows) writer.write(row);
        writer.close();
        return;
    }
    PartialRows kept(output, identity, /*overwrite=*/true);
    for (size_t item = 0; item < rows.size(); ++item) kept.add(item, rows[item]);
    kept.sync();
}

void remove_failed_rows(const std::string& output) {
    const fs::path file = partial_path(output);
    if (!is_written_directly(output) && fs::exists(file) && are_own_rows(file)) fs::remove(file);
}

}  // namespace craft
