#include "train/training_memory.h"

#include "train/options.h"

namespace craft {

namespace {

constexpr int64_t kFloat = 4;  // bytes

}  // namespace

int64_t optimizer_bytes(int64_t weights, at::ScalarType dtype, const TrainOptions& options) {
    const bool has_mean = options.average > 0;
    const bool has_masters = dtype != at::kFloat || has_mean;  // else the weights themselves are the masters
    return weights * kFloat * (2 + (has_masters ? 1 : 0) + (has_mean ? 1 : 0));
}

int64_t full_training_bytes(int64_t weights, at::ScalarType dtype, const TrainOptions& options, int64_t ranks) {
    return weights * kFloat + optimizer_bytes(weights, dtype, options) / ranks;
}

}  // namespace craft
