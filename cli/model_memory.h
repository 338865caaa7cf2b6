// Models that memory does not hold, refused before anybody hashes or reads their files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/placement.h"

namespace craft {

// A command's inputs, as they were given, for run_identity(). Throws Error for a decoder among them whose weights are more
// than memory holds where they are placed, in few bits if there is a --quantize that says so. Other inputs are not looked
// at.
const std::vector<std::filesystem::path>& expect_models_fit(const OptionTable& table, const Placement& place,
                                                            const std::vector<std::filesystem::path>& inputs);

// What computing with all of a decoder's weights takes beside them.
struct BesideWeights {
    std::function<int64_t(int64_t weights)> bytes = {};  // of so many weights
    std::string what = {};                               // "gradients"
    int64_t processes = 1;  // so many of this machine hold a copy of the weights that they write to, and these bytes
};
// Throws Error where memory does not hold all of that.
void expect_model_fits(const std::filesystem::path& model, const Placement& place, const BesideWeights& besides);

}  // namespace craft
