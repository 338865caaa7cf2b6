// What evaluations share beside their figures: which files they may write.
#pragma once

#include <string>
#include <vector>

#include "core/options.h"

namespace craft {

// Adds a problem for each of the options `outputs` that is the same file as one of the options `inputs`, a path or a list of
// them, or as a file of --config, since what that holds would be lost; and for one that is the same as an earlier one of
// `outputs`. Devices and pipes hold nothing, so that they may be both.
void check_outputs(OptionTable& table, const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);
// The same of one input that is a part of an option's value; `shown` is how users call it.
void check_output_beside(OptionTable& table, const std::string& output, const std::string& shown, const std::string& input);

}  // namespace craft
