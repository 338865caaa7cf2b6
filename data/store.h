// Trajectory stores: a folder of sealed HDF5 segments (data/segment.h says what they hold) and the index that names them.
//   segment-000001.h5, ...  never changed once they are there; written under a temporary name, fsynced, renamed
//   store.json              {"format", "version", "finished", "trajectories", "segments": [{"file", "trajectories", "steps",
//                           "bytes", "hash"}...], "progress"}; replaced as a whole after each segment
//   segment-000002.part-37.h5  the last one of a run that was stopped: the next run reads it and continues in it
// A segment counts when the index names it. Files that a killed process left beside it are removed and written again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/trajectory.h"

namespace craft {

struct StoreOptions {
    int64_t segment_trajectories = 1000;        // a segment is sealed when it holds this many,
    int64_t segment_bytes = int64_t{64} << 20;  // or this many bytes of text
    int compression = 4;                        // deflate 0 (off) to 9
};

struct StoreSegment {
    std::string file;
    int64_t trajectories = 0, steps = 0;
    int64_t bytes = 0;
    std::string hash;  // "xxh64:..." of the file
};

struct StoreIndex {
    bool finished = false;
    std::vector<StoreSegment> segments;
    Json progress = Json::object();

    int64_t trajectories() const;
    int64_t steps() const;
};

// Whether `path` is a folder with a store.json of ours in it.
bool is_store(const std::filesystem::path& path);
// Throws Error naming the file: no store, another format or version, damaged.
StoreIndex read_store_index(const std::filesystem::path& folder);

class SegmentBuilder;
class SegmentReader;

// Appends to a store, in order. One writer at a time a folder (a RunFolder's lock sees to it). Not thread-safe.
class StoreWriter {
public:
    // Creates the store, or opens it to continue after what is sealed. Throws Error if the folder cannot be written, or
    // holds a store of another version or one whose segments are not there whole.
    explicit StoreWriter(std::filesystem::path folder, const StoreOptions& options = {});
    ~StoreWriter();  // what is not sealed is lost

    int64_t sealed() const { return index_.trajectories(); }  // trajectories on disk, a part's included
    bool finished() const { return index_.finished; }
    // The progress that was sealed last, with the caller's own keys: how much of its input it had consumed. {} at the start.
    const Json& progress() const { return index_.progress; }

    // `progress` is the state after this trajectory and is sealed with it. Throws Error when the segment cannot be written
    // (the writer keeps the trajectories, and nothing that was sealed is lost) or when the store is finished.
    void append(const Trajectory& trajectory, const Json& progress = Json::object());
    // Ends the present segment; nothing happens if it is empty.
    void seal();
    // Saves the present segment as a part, for a run that stops here. It ends with the same bytes as one that does not.
    void keep();
    // Seals, and marks the store finished.
    void finish(const Json& progress = Json::object());

private:
    void write_segment(const std::string& name);
    void remove_unsealed() const;
    void write_index() const;
    std::filesystem::path folder_;
    StoreOptions options_;
    StoreIndex index_;
    std::unique_ptr<SegmentBuilder> builder_;
    Json appended_progress_ = Json::object();
};

// Streams a store; memory does not grow with it. Each segment is checked against its hash before HDF5 sees it, so that a
// damaged or exchanged file is one clear Error. Not thread-safe.
class StoreReader {
public:
    // Throws Error for what is no store and, unless allowed, for a store that is not finished.
    explicit StoreReader(std::filesystem::path folder, bool allow_unfinished = false);
    ~StoreReader();

    int64_t size() const { return index_.trajectories(); }
    const StoreIndex& index() const { return index_; }
    std::optional<Trajectory> next();
    // The trajectory that next() returns next, from 0; size() is the end. Throws Error beyond it.
    void seek(int64_t position);

private:
    void open_segment(size_t number);
    std::filesystem::path folder_;
    StoreIndex index_;
    size_t segment_ = 0;      // the segment of the next trajectory
    int64_t in_segment_ = 0;  // and its place there
    std::unique_ptr<SegmentReader> reader_;
    size_t opened_ = 0;  // number of the segment that reader_ reads
};

// Both ways between stores and JSON Lines (data/trajectory.h). Return the number of trajectories written.
// Import continues after what the store holds already, finishes it and, if asked to skip bad lines, counts them in
// progress "bad_lines"; keys that nobody reads, in `unknown` if it is given. It throws Error if no trajectory is left, and
// leaves a finished store alone. Stops between trajectories on a signal (throws Stopped) with all but the last segment kept.
int64_t import_trajectories(const std::string& json_lines, StoreWriter& store, const JsonLinesOptions& options = {},
                            UnknownKeys* unknown = nullptr);
// Throws Error for what import would throw on, before there is a store: a bad line (unless they are skipped), no trajectory.
void check_trajectories(const std::string& json_lines, const JsonLinesOptions& options = {});
int64_t export_trajectories(StoreReader& store, const std::string& json_lines);

}  // namespace craft
