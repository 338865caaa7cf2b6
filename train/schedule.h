// The learning rate over the steps of a run.
#pragma once

#include <cstdint>

#include "train/options.h"

namespace craft {

// Steps of the warm-up: `warmup` itself, or a share below 1 of the run, rounded up.
int64_t warmup_steps(double warmup, int64_t total_steps);

// The rate of step `step` (from 0) of `total_steps`, as transformers computes it: step / warm-up steps of the peak, then the
// peak (constant), a straight line to 0 at total_steps (linear), or half a cosine to there.
double learning_rate(const TrainOptions& options, int64_t step, int64_t total_steps);

}  // namespace craft
