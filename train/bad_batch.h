// What a step that ended without a finite loss or gradient was computed on.
#pragma once

#include <filesystem>
#include <vector>

#include "losses/losses.h"
#include "model/kernels/packed_batch.h"

namespace craft {

// One line in the form that `craft-train loss` reads: the loss with its coefficients and every example's tokens, and sums by
// the reference where the loss needs them.
void write_bad_batch(const std::filesystem::path& file, int64_t step, const std::vector<const TokenTree*>& examples,
                     const LossOptions& loss, const std::vector<ReferenceSums>& references);

}  // namespace craft
