// Which examples an optimiser step sees: nothing but the seed and the step's number decides.
#pragma once

#include <cstdint>
#include <vector>

#include "train/options.h"

namespace craft {

// Optimiser steps of an epoch: the last, smaller batch counts.
int64_t steps_per_epoch(size_t examples, int64_t batch_size);
// The examples of an epoch (from 0) in the order of its steps: reshuffled for each epoch, or as they are.
std::vector<size_t> epoch_order(size_t examples, const TrainOptions& options, int64_t epoch);
// The examples of a step (from 0), by their numbers.
std::vector<size_t> batch_of_step(size_t examples, const TrainOptions& options, int64_t step);

}  // namespace craft
