// What training all weights takes beside them, known before any is read.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>

namespace craft {

struct TrainOptions;

// Bytes of AdamW's masters, moments and running mean of this many weights in `dtype`, over all ranks together: as AdamW
// builds them.
int64_t optimizer_bytes(int64_t weights, at::ScalarType dtype, const TrainOptions& options);
// The least that one of `ranks` takes: its part of these, and the gradients of a step in float32.
int64_t full_training_bytes(int64_t weights, at::ScalarType dtype, const TrainOptions& options, int64_t ranks);

}  // namespace craft
