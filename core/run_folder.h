// The only state of a run: manifest and stages with completion markers.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/json_problem.h"

namespace craft {

// What makes two runs "the same command": a folder written under another identity is refused with a hint.
struct RunIdentity {
    std::string command;  // "sft", "align", ...
    Json options;         // OptionTable::identity(): without --out, --threads, --quiet, --verbose, --log-format
    std::vector<std::filesystem::path> inputs;  // files or folders whose hashes go into the manifest and must not change
    Json facts = Json::object();                // OptionTable::facts()
    uint64_t seed = 0;
    // Written into the manifest, not compared.
    std::vector<std::string> command_line;
    Json configuration;  // OptionTable::resolved(); empty: `options`
};

// manifest.json: {"program", "format", "command", "command_line", "configuration", "identity" (hash), "seed",
// "versions": {"craft-train", ...}, "facts" (where there are some), "data_hashes": {path: hash}, "data_files" (how files of
// them are known again: core/file_hash.h), "dropped": {reason: count}, "notes": {...}, "resumes", "wall_seconds" (added up
// over resumes), "peak_memory_bytes" (the largest), "finished"}. The folder is locked while the object lives. Not
// thread-safe.
class RunFolder {
public:
    // Creates or reopens `path`. overwrite: what is there (only a run of ours) is set aside. It is removed by
    // replace_former() or finish(); if neither was called when this object goes (a bad input), or when the process was
    // killed, it comes back in place of what the new run made. Throws Error when the folder belongs to another command or
    // configuration or holds other things, is being written by another process, holds an input that overwrite would remove,
    // or cannot be written; and when an input cannot be read. A finished folder is left as it is; a start that made no file
    // is started over.
    static RunFolder open(const std::filesystem::path& path, const RunIdentity& identity, bool overwrite);
    // A run that another process writes. It knows its path and whether it is finished or resumed; it reads and writes
    // nothing.
    static RunFolder follow(const std::filesystem::path& path, bool finished, bool resumed);
    ~RunFolder();
    RunFolder(RunFolder&&) noexcept;

    const std::filesystem::path& path() const { return path_; }
    // To be called when the inputs have been read and found fit: from here on the new run is the one that counts.
    void replace_former();
    bool finished() const;                     // a finished run does nothing and says so
    bool resumed() const { return resumed_; }  // true if an unfinished run of the same identity was there

    // How many were dropped in all and why, for manifest "dropped". Reasons noted by earlier processes stay.
    void set_dropped(const std::string& reason, int64_t total);
    // Further facts for the manifest ("sentence_splitter", "templates", ...).
    void note(const std::string& key, const Json& value);
    // Version of a library that results depend on ("libtorch").
    void note_version(const std::string& name, const std::string& version);
    const Json& manifest() const { return manifest_; }
    void save_manifest();
    // Writes wall time, peak memory and "finished" in one atomic replacement of the manifest.
    void finish();

private:
    struct Lock;
    RunFolder(std::filesystem::path path, std::unique_ptr<Lock> lock);
    std::filesystem::path path_;
    std::unique_ptr<Lock> lock_;
    Json manifest_;
    bool resumed_ = false;
    double earlier_seconds_ = 0;
    std::chrono::steady_clock::time_point start_;
};

// A stage is a sub-folder with a marker that is written last. A run that was stopped skips the stages that have theirs.
//   Stage stage(run.path() / "round-1" / "pairs");
//   if (!stage.complete()) { ...write files...; stage.mark_complete(); }
class Stage {
public:
    explicit Stage(std::filesystem::path path);  // creates the folder
    const std::filesystem::path& path() const { return path_; }
    bool complete() const;
    void mark_complete(const Json& summary = Json::object()) const;  // the summary is stored in the marker
    Json summary() const;                                            // of a complete stage; throws Error for others
    // read(summary()); a summary that `read` cannot use throws Error naming the marker.
    template <class Read>
    auto read_summary(const Read& read) const {
        const Json object = summary();
        try {
            return read(object);
        } catch (const Json::exception& error) {
            not_of_ours(json_problem(error.what()));
        }
    }

private:
    [[noreturn]] void not_of_ours(const std::string& problem) const;
    std::filesystem::path marker() const;
    std::filesystem::path path_;
};

// Where the finished part of the command's work lies, so that the same command can resume from there: a run folder, or rows
// beside an output. Empty if nothing is kept.
void set_resumable_run(const std::string& place);
const std::string& resumable_run();

}  // namespace craft
