// What a training run will compute, told from its data and options before anything is computed.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <vector>

#include "model/kernels/packed_batch.h"
#include "model/spec/decoder_config.h"
#include "train/options.h"

namespace craft {

struct PlannedMicroBatch {
    std::vector<size_t> examples;
    int64_t tokens = 0;     // computed
    double operations = 0;  // training_operations()
};

struct WorkPlan {
    // Of the first epoch. Of several ranks each step's busiest is told: the others wait for it.
    std::vector<PlannedMicroBatch> micro_batches;
    int64_t epoch_steps = 0;
    int64_t epoch_tokens = 0;   // of all ranks
    PlannedMicroBatch largest;  // by tokens, of all epochs and ranks: what memory has to hold
    bool accumulates = false;   // whether some rank computes a step in several micro-batches
};
// Data of at least one example. Of long runs the largest micro-batch is looked for in the first ten million examples.
WorkPlan plan_work(const DecoderConfig& config, const std::vector<TokenTree>& data, const TrainOptions& options,
                   const at::Device& device, int ranks);

// One micro-batch that stands for others of about its size; their time is its own times `weight`.
struct WorkSample {
    PlannedMicroBatch batch;
    double weight = 1;
};
// At most `count`, which together stand for all micro-batches of the plan.
std::vector<WorkSample> sample_work(const WorkPlan& plan, size_t count);

}  // namespace craft
