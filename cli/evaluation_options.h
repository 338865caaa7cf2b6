// What evaluations share beside their figures: which files they may write, and what they say of the texts that they got.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "core/options.h"

namespace craft {

// Adds a problem for each of the options `outputs` that is the same file as one of the options `inputs`, a path or a list of
// them, or as a file of --config, since what that holds would be lost; and for one that is the same as an earlier one of
// `outputs`. Devices and pipes hold nothing, so that they may be both.
void check_outputs(OptionTable& table, const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);
// The same of one input that is a part of an option's value; `shown` is how users call it.
void check_output_beside(OptionTable& table, const std::string& output, const std::string& shown, const std::string& input);

// Says how many revisions hold nothing but white space, if there are any: such are scored like others, though more often
// than not a system failed. `counts` are numbers under the keys that the result has them under.
void warn_of_empty_revisions(const Json& counts);

}  // namespace craft
