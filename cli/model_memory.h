// Models that memory does not hold, refused before anybody hashes or reads their files.
//
// Only what is certain counts, since a run that works must not be refused: weights in the form in which they are held, and
// for a training of all weights (and `loss`) gradients and AdamW's states. What an adapter, activations, and the keys and
// values of generation take beside them does not; --estimate measures a training's. Models that a command opens without
// naming them as inputs count when their weights are read (expect_memory() of model/weights/device_memory.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/placement.h"

namespace craft {

// Of all inputs of a command, which run_identity() looks at before it hashes them. Throws Error for a model among them
// whose weights are more than memory holds where they are placed, a decoder's in few bits if there is a --quantize that says
// so; and for several decoders that memory does not hold together. Other inputs are not looked at.
void expect_models_fit(const OptionTable& table, const CommonOptions& common,
                       const std::vector<std::filesystem::path>& inputs);

// What computing with all of a decoder's weights takes beside them.
struct NonWeightMemory {
    std::function<int64_t(int64_t weights)> bytes = {};  // of this many weights
    std::string what = {};                               // "gradients"
    int64_t processes = 1;  // this many of this machine hold a copy of the weights that they write to, and these bytes
};
// Throws Error where memory does not hold all of that.
void expect_model_fits(const std::filesystem::path& model, const Placement& place, const NonWeightMemory& besides);

}  // namespace craft
