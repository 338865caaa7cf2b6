// What the training loop does together with the other ranks: a step's shares and sums, checkpoints, resuming. With one rank
// it is the plain way of each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "train/batch_loss.h"
#include "train/checkpoint.h"
#include "train/gradient_reducer.h"
#include "train/optimizer.h"

namespace craft {

class TrainingRanks {
public:
    // `leaves` are trained by optimizer(). `sharded`: with several ranks, each keeps its part of the optimiser's state.
    // Rank 0 creates the folder of the checkpoints.
    TrainingRanks(ProcessGroup& group, std::vector<std::pair<std::string, at::Tensor>> leaves,
                  const std::filesystem::path& checkpoints, const AdamWOptions& options, bool sharded);

    bool is_first() const { return group_.is_first(); }
    int64_t size() const { return group_.size(); }
    AdamW& optimizer() { return *optimizer_; }

    // run_batch() over all ranks: each computes its share, figures and the optimiser's gradients are those of all examples.
    // A signal that a rank finds after a micro-batch ends the batch for all of them: Stopped.
    BatchFigures run(Decoder& decoder, const std::vector<const TokenTree*>& examples, const LossOptions& loss, BatchRun run);
    // Several ranks ask each other in run(); one alone may stop at any time.
    void throw_if_stopped_alone() const;
    // Rank 0 scores while the others wait.
    double score(const std::function<double()>& score) const;

    // Continues from rank 0's newest checkpoint: its counters; nullopt: there is none. Throws Error if it is of another run.
    // All ranks have the same fingerprint.
    std::optional<TrainState> resume(const std::string& fingerprint);
    void restore(int64_t step);  // the weights of that checkpoint
    void save(const TrainState& state, const std::string& fingerprint, int64_t keep, int64_t pinned) const;
    // After Stopped from run(), after save(): no rank continues before all have come here. Launchers end the others when one
    // is gone, and rank 0 may be writing still.
    void leave_together() const;
    // After an exception: whether save() needs no rank that may be gone.
    bool can_save() const { return !sharded_ || stopped_together_; }
    std::optional<int64_t> newest_checkpoint() const;

private:
    ProcessGroup& group_;
    bool sharded_;
    bool stopped_together_ = false;
    std::optional<CheckpointFolder> checkpoints_;  // rank 0's
    std::optional<GradientReducer> reducer_;       // of several ranks
    std::optional<AdamW> optimizer_;
};

}  // namespace craft
