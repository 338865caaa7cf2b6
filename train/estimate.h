// What a training run will take, before it loads a model: random decoders of the model's widths do a few of its
// micro-batches.
#pragma once

#include "core/json.h"
#include "train/extrapolation.h"

namespace craft {

struct EstimateOptions {
    int ranks = 1;        // processes that will train together
    double seconds = 15;  // that probes may take where the device does a third of what a square product does; about
    double memory = 0.5;  // share of the free memory that a probe may take; about
};

struct Estimate {
    int64_t peak_memory = 0;  // bytes, of each rank: resident, or of a GPU what is reserved there
    int64_t loading_peak = 0, batch_peak = 0, update_peak = 0;  // of which the largest is the peak
    double seconds_per_step = 0;                                // a mean; without what ranks wait for each other
    double logprob_seconds = 0;  // before the first step, of log-probabilities (logprobs_first()), at training's rate
    int64_t steps = 0;           // of all epochs
    int64_t epoch_tokens = 0, epoch_steps = 0, largest_micro_batch = 0;  // tokens computed
    ProbePoint model;
    std::vector<ProbedPoint> probed;
    std::vector<double> weights;  // of each sampled micro-batch, for seconds of an epoch

    double epoch_seconds(const ProbeFigures& figures) const;
};

// Data of at least one example, `folder` the model's: headers of its weights are read. Throws Error where not even the
// smallest probe fits into memory, and as probe() does; Stopped.
Estimate estimate_training(const std::filesystem::path& folder, const ProbedModel& model, const std::vector<TokenTree>& data,
                           const TrainOptions& options, const EstimateOptions& how);

// As `--estimate` prints it.
Json to_json(const Estimate& estimate);

}  // namespace craft
