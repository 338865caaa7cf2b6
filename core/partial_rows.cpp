#include "core/partial_rows.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

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

// A run folder that is being written says itself where to resume.
void note_resumable(const std::string& path) {
    if (resumable_run().empty()) set_resumable_run(path);
}

std::string rank_path(const std::string& path, int rank) {
    return path + ".rank-" + std::to_string(rank);
}

// Of however many ranks earlier processes had.
std::vector<std::string> files_of_other_ranks(const std::string& path) {
    const fs::path file(path);
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const std::string beginning = file.filename().string() + ".rank-";
    std::vector<std::string> files;
    std::error_code none;  // there is no folder yet
    for (const auto& entry : fs::directory_iterator(folder, none))
        if (entry.path().filename().string().starts_with(beginning)) files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

void remove_own_rows(const std::string& file) {
    if (!are_own_rows(file)) throw Error(file, "rows that a command left", "another file", "move it");
    fs::remove(file);
}

}  // namespace

PartialRows::PartialRows(const std::string& output, const RunIdentity& identity, bool overwrite, Ranks& ranks)
    : PartialRows(output, identity, overwrite, ranks, nullptr) {}

PartialRows::PartialRows(const std::string& output, const RunIdentity& identity, bool overwrite, Ranks& ranks,
                         const IsFinal& is_final)
    : ranks_(ranks), output_(output) {
    if (is_written_directly(output)) {
        if (ranks.size() > 1) throw Error(output, "a file, which several ranks can share", "none");
        return;
    }
    path_ = partial_path(output).string();
    const Json manifest = new_manifest(identity, {});
    run_ = Json::object();
    for (const char* part : {"identity", "compared", "data_hashes"}) run_[part] = manifest.at(part);
    heading_ = dump_line({{"run", run_}}) + "\n";
    if (ranks.is_first()) open(overwrite, is_final);
    ranks.meet();
    if (!ranks.is_first()) follow(is_final);
    ranks.meet();  // rank 0 adds nothing before the others have read what is there
}

PartialRows PartialRows::of_stage(const fs::path& file, Ranks& ranks, const IsFinal& is_final) {
    RunIdentity stage;
    stage.command = "stage";
    stage.options = Json::object();
    return {file.string(), stage, false, ranks, is_final};
}

void PartialRows::open(bool overwrite, const IsFinal& is_final) {
    const std::vector<std::string> others = files_of_other_ranks(path_);
    if (overwrite) {
        for (const std::string& file : others) remove_own_rows(file);
        if (!fs::exists(path_)) return;
        lock(false);
        remove_own_rows(path_);
        remove();
        return;
    }
    if (fs::exists(path_)) {
        lock(false);
        read_earlier(is_final);
    }
    for (const std::string& file : others) collect(file, is_final);
    earlier_ = known();
    if (earlier_ > 0) note_resumable(path_);
}

// Rank 0's rows are known here as well; what is added goes to a file of this rank's own.
void PartialRows::follow(const IsFinal& is_final) {
    if (fs::exists(path_)) note_places(is_final);
    earlier_ = known();
    end_ = 0;
    path_ = rank_path(path_, ranks_.rank());
}

void PartialRows::read_earlier(const IsFinal& is_final) {
    if (note_places(is_final)) {
        log_info("the command failed before: its rows are recomputed", {{"rows", known()}});
        return start_again();
    }
    fs::resize_file(path_, static_cast<std::uintmax_t>(end_));
}

bool PartialRows::note_places(const IsFinal& is_final) {
    bool failed = false;
    const auto note = [&](size_t item, int64_t place, const Json& row) {
        if (!is_final || is_final(row)) note_place(item, place);
    };
    end_ = read(path_, note, failed);
    return failed;
}

int64_t PartialRows::read(const std::string& path, const OnRow& on_row, bool& failed) const {
    std::ifstream lines(path, std::ios::binary);
    int64_t end = 0;
    for (std::string line; std::getline(lines, line);) {
        if (lines.eof()) break;  // no line break after it: the process was killed while it wrote
        const Json kept = parse_json(line, path);
        failed = end > 0 && kept.is_object() && kept.contains(kFailed);
        if (failed) break;
        if (!kept.is_object() || !kept.contains(end == 0 ? "run" : "item"))
            throw Error(path, "rows of this version of craft-train", "those of another one", "--overwrite starts over");
        if (end > 0) {
            on_row(kept["item"].get<size_t>(), end, kept["row"]);
        } else if (const auto other = run_difference(kept["run"], run_)) {
            throw Error(path, other->what + " " + shortened(other->before, 200) + ", by which these rows were made",
                        shortened(other->now, 200), kHowToGoOn);
        }
        end += static_cast<int64_t>(line.size()) + 1;
    }
    return end;
}

int64_t PartialRows::known() const {
    return std::count_if(places_.begin(), places_.end(), [](int64_t place) { return place >= 0; });
}

void PartialRows::note_place(size_t item, int64_t place) {
    if (item >= places_.size()) places_.resize(item + 1, -1);
    places_[item] = place;
}

// Moves the rows that another rank left to this one's file.
void PartialRows::collect(const std::string& path, const IsFinal& is_final) {
    bool failed = false;
    const auto move = [&](size_t item, int64_t, const Json& row) {
        if (!has(item) && (!is_final || is_final(row))) add(item, row);
    };
    read(path, move, failed);
    sync();
    fs::remove(path);
}

bool PartialRows::gather() {
    sync();
    const bool is_read_by_other = file_ && !ranks_.is_first();
    if (is_read_by_other) file_.reset();  // on a network file system, others see what a closed file holds
    const std::vector<std::string> files = ranks_.exchange(is_read_by_other ? path_ : "");
    if (!ranks_.is_first()) return false;
    for (const std::string& file : files)
        if (!file.empty()) collect(file, nullptr);
    return true;
}

void PartialRows::start_again() {
    remove();
    places_.clear();
    end_ = 0;
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
    note_place(item, end_);
    end_ += std::ssize(line);
    file_->write(line);
    note_resumable(path_);
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
