// One segment file of a trajectory store (data/store.h says what a store is; here is what its files hold):
//   attributes      format, version, trajectories (n), steps (m)
//   trajectories/   id, instruction, text, details, prompt: strings; domain: int64 [n]; first_step: uint64 [n + 1]
//   steps/          response, revision, feedback, observation: strings; s_v, s_c, s_r, s_a: float64 [m], NaN where absent
// A string column is a group as data/text_column.h writes it.
// `details` is the rest of the instruction as a JSON object and, where there were scorers, "raw_quality": what they said of
// each step (data/trajectory.h). Steps of trajectory i: [first_step[i], first_step[i + 1]).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/hdf5_file.h"
#include "data/text_column.h"
#include "data/trajectory.h"

namespace craft {

inline constexpr const char* kStoreFormat = "craft-train trajectories";
inline constexpr int64_t kStoreVersion = 1;

inline constexpr std::array<const char*, 5> kTrajectoryTexts = {"id", "instruction", "text", "details", "prompt"};
inline constexpr std::array<const char*, 4> kStepTexts = {"response", "revision", "feedback", "observation"};
inline constexpr std::array<const char*, 4> kStepScores = {"s_v", "s_c", "s_r", "s_a"};
// Of one trajectory; larger ones are refused. A file of a few bytes can claim texts of any length that HDF5 then fills in.
inline constexpr uint64_t kMaxTextBytes = uint64_t{256} << 20;  // of all its strings together
inline constexpr uint64_t kMaxSteps = uint64_t{1} << 16;

// Trajectories on their way into a segment.
class SegmentBuilder {
public:
    // Throws Error if the texts or the number of steps are over the limits.
    void add(const Trajectory& trajectory);
    int64_t trajectories() const { return static_cast<int64_t>(domains_.size()); }
    int64_t steps() const { return static_cast<int64_t>(scores_[0].size()); }
    uint64_t text_bytes() const { return text_bytes_; }
    // The bytes of the segment file; `name` is for messages, `compression` is deflate's, 0 to 9.
    std::string image(const std::string& name, unsigned compression) const;

private:
    std::array<TextColumnBuilder, kTrajectoryTexts.size()> texts_;
    std::array<TextColumnBuilder, kStepTexts.size()> step_texts_;
    std::array<std::vector<double>, kStepScores.size()> scores_;
    std::vector<int64_t> domains_;
    std::vector<uint64_t> first_step_{0};
    uint64_t text_bytes_ = 0;
};

// Reads a segment file; in order it is fast, and memory does not grow with the file. Throws Error naming file and dataset on
// anything that does not fit; sizes are checked before memory is asked for, which is that of one trajectory at most.
class SegmentReader {
public:
    explicit SegmentReader(const std::filesystem::path& path);
    int64_t trajectories() const { return trajectories_; }
    int64_t steps() const { return steps_; }
    Trajectory read(int64_t index);  // from 0

private:
    Step read_step(uint64_t index, TextBudget& budget);
    std::string name_;
    int64_t trajectories_ = 0, steps_ = 0;
    std::array<TextColumn, kTrajectoryTexts.size()> texts_;
    std::array<TextColumn, kStepTexts.size()> step_texts_;
    std::array<Hdf5Column<double>, kStepScores.size()> scores_;
    Hdf5Column<int64_t> domains_;
    Hdf5Column<uint64_t> first_step_;
};

}  // namespace craft
