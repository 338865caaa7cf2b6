// The rows that a command without a run folder has made so far, in OUTPUT.partial until OUTPUT is complete, so that a
// stopped command can resume.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/append_file.h"
#include "core/file_lock.h"
#include "core/json.h"
#include "core/ranks.h"
#include "core/run_folder.h"

namespace craft {

// A row an item, of items that are numbered from 0. The file's first line says what run they are of. Several ranks each add
// to a file of their own, OUTPUT.partial.rank-N of those other than rank 0; all must see the folder.
class PartialRows {
public:
    // Looks through what earlier processes of the same command left, up to the last whole line of each file; `overwrite`
    // removes it. What other ranks left moves to rank 0's file, and every rank knows all rows. Beside an output that is no
    // file (stdout, a pipe) nothing is kept but in memory, which is for one rank alone. Throws Error if the rows are another
    // command's, naming the difference, or another process is at work on them. `ranks` must outlive the rows.
    PartialRows(const std::string& output, const RunIdentity& identity, bool overwrite = false,
                Ranks& ranks = Ranks::alone());
    // The rows of a stage in a run folder, which knows what run they are of. Earlier rows that are not `final` (null: all
    // are), such as failed answers, are made again.
    using IsFinal = std::function<bool(const Json& row)>;
    static PartialRows of_stage(const std::filesystem::path& file, Ranks& ranks = Ranks::alone(),
                                const IsFinal& is_final = nullptr);
    Ranks& ranks() const { return ranks_; }
    // How many rows an earlier process left.
    int64_t earlier() const { return earlier_; }
    // Whether the item has a row. Those that an earlier process left need not be the first ones.
    bool has(size_t item) const {
        return item < told_ || memory_.contains(item) || (item < places_.size() && places_[item] >= 0);
    }
    // All rows, those of earlier processes too, in the order of their items, one by one. Where there is no file: those
    // before which none is missing, each once.
    void for_each(const std::function<void(const Json&)>& on_row);
    // The row of an item that has none. Returns whether rows reached the disk, which they do now and then. Throws Error if
    // another process has written rows meanwhile.
    bool add(size_t item, const Json& row);
    // Buffered rows reach the disk: what is lost by a kill after it has to be made again.
    void sync();
    // To be called by every rank when it has made its rows. Returns whether for_each() has all of them here: in rank 0.
    bool gather();
    void remove();
    // Runs a check of the rows before they become the output. Where it throws, the rows stay for people to read, and the
    // same command makes them again.
    void check(const std::function<void()>& usable);
    bool keeps() const { return !path_.empty(); }

private:
    using OnRow = std::function<void(size_t item, int64_t place, const Json& row)>;
    PartialRows(const std::string& output, const RunIdentity& identity, bool overwrite, Ranks& ranks,
                const IsFinal& is_final);
    void open(bool overwrite, const IsFinal& is_final);
    void follow(const IsFinal& is_final);
    void read_earlier(const IsFinal& is_final);
    // Of the rows in the file; returns whether the run failed that made them.
    bool note_places(const IsFinal& is_final);
    // Tells of the rows in a file, and whether the run failed that made them. Returns where its last whole line ends.
    int64_t read(const std::string& path, const OnRow& on_row, bool& failed) const;
    void note_place(size_t item, int64_t place);
    int64_t known() const;  // how many items have a row in a file
    void collect(const std::string& path, const IsFinal& is_final);
    void start_again();
    void lock(bool is_new);  // is_new: nobody may have written rows

    Ranks& ranks_;
    std::string output_;
    std::string path_;     // empty: no file
    Json run_;             // what the rows are of
    std::string heading_;  // that, as the file's first line
    int64_t earlier_ = 0;
    std::vector<int64_t> places_;    // by item: where its row's line begins in the file; negative: it has none
    int64_t end_ = 0;                // of the file
    std::map<size_t, Json> memory_;  // by item, where there is no file; of those before told_ none
    size_t told_ = 0;
    std::unique_ptr<FileLock> lock_;  // of the file, from its first row until it is removed
    std::optional<AppendFile> file_;
};

// The rows of a run that failed, for people to read: OUTPUT stays as it was, and they are in OUTPUT.partial, or were written
// where the output is no file. Throws Error as PartialRows does.
void keep_failed_rows(const std::string& output, const RunIdentity& identity, const std::vector<Json>& rows);
// Those of an earlier run, once OUTPUT is there.
void remove_failed_rows(const std::string& output);

}  // namespace craft
