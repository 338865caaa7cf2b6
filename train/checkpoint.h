// Everything a stopped training run needs to end with the same bytes: one safetensors file a checkpoint, whole or absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "model/weights/safetensors.h"

namespace craft {

// The counters of a run. Data cursor, learning rate and random streams follow from `step` and the seed.
struct TrainState {
    int64_t step = 0;       // optimiser steps done
    int64_t evaluated = 0;  // step of the last evaluation; 0: none
    int64_t tokens = 0;     // computed in training
    double seconds = 0;     // spent in steps, and of them in forward and backward passes
    double compute_seconds = 0;
    std::vector<double> scores;  // of the epochs done, where a selection score is asked for
    bool stopped_early = false;  // the last of `scores` gained too little
    Json last_metrics = Json::object();
};

Json to_json(const TrainState& state);
TrainState train_state_from_json(const Json& json);  // throws Json::exception for other objects

struct Checkpoint {
    TrainState state;
    std::string fingerprint;  // of the data, the options and the weights at the start
    NamedTensors tensors;     // of the optimiser, weights included
};

// FOLDER/step-00000012.safetensors: the tensors, the state as JSON bytes and a checksum of both.
class CheckpointFolder {
public:
    // Creates the folder and removes temporary files that a killed process left.
    explicit CheckpointFolder(std::filesystem::path folder);
    // Replaces a checkpoint of the same step. Written to a temporary name, fsynced, renamed.
    void save(const Checkpoint& checkpoint) const;
    // The newest checkpoint that is whole; a damaged one is warned of and removed. nullopt if there was none. Throws Error
    // naming the files if there are some and all are damaged (they stay).
    std::optional<Checkpoint> newest() const;
    // Throws Error naming the file if it is missing or damaged.
    Checkpoint at_step(int64_t step) const;
    // Keeps the `count` newest and that of step `pinned` (none if below 0).
    void prune(int64_t count, int64_t pinned) const;
    std::vector<int64_t> steps() const;  // ascending
    std::filesystem::path file(int64_t step) const;

private:
    std::filesystem::path folder_;
};

}  // namespace craft
