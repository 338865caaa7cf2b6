// Optimiser steps over epochs, with metrics, evaluations, checkpoints and exact resume.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/decoder/decoder.h"
#include "train/options.h"
#include "train/parallel/process_group.h"
#include "train/step_metrics.h"

namespace craft {

struct TrainCallbacks {
    // After each step, when its row is written.
    std::function<void(const StepMetrics&)> on_step = nullptr;
    // A selection score of the weights after epoch `epoch` (from 1), higher is better. With it, the weights of the best
    // epoch are those that the decoder ends with, and TrainOptions::min_epoch_gain may end the run.
    std::function<double(int64_t epoch)> epoch_score = nullptr;
};

struct TrainResult {
    int64_t steps = 0;
    int64_t epochs = 0;          // done
    int64_t best_epoch = 0;      // whose weights the decoder holds; without scores the last one
    std::vector<double> scores;  // by epoch
    bool stopped_early = false;  // by min_epoch_gain
    int64_t tokens = 0;          // computed
    double seconds = 0;          // in steps, over all restarts
    double compute_seconds = 0;  // of them in forward and backward passes
    Json last_metrics;           // the last row of metrics.jsonl
};

// Trains the decoder's trainable leaves (make_trainable) and leaves them in place. Examples: SFT sequences with one branch,
// pairs with two (chosen, rejected) or, with a policy, groups of responses, each with what `groups` says of it. Writes under
// `folder`: metrics.jsonl, eval.jsonl (with eval_data), checkpoints/, tb/, and for a loss with a reference, whose
// log-probabilities come first, reference.json. A folder with checkpoints of the same data, options and starting weights
// resumes from the newest; killed at any moment, the run ends with the same bytes (on a GPU: of the same kind, with the same
// LibTorch and, of several GPUs, as many, as far as NCCL adds them in the same order). Throws Error: no data, an example
// that does not fit, a loss or gradient that is not finite, checkpoints of another run; UsageError on train_problems();
// Stopped after a signal, with a checkpoint of the last step done.
//
// By several ranks, each with the same arguments (else Error), a step's examples are divided by their tokens, and every rank
// ends with the same weights. Rank 0 alone touches `folder` and scores epochs. With `full`, masters and moments are divided,
// too (ZeRO-1); checkpoints are whole, for any number of ranks. Throws LostRank when a rank is gone (rank 0 then has saved
// its last whole step, unless the state is divided), Stopped in all ranks after the same step.
TrainResult train(Decoder& decoder, const std::vector<TokenTree>& data, const TrainOptions& options,
                  const std::filesystem::path& folder, const TrainCallbacks& callbacks = {},
                  const std::vector<TokenTree>& eval_data = {}, ProcessGroup& group = ProcessGroup::alone(),
                  const std::vector<SampledGroup>& groups = {});

}  // namespace craft
