// What an adapter can be put on.
#pragma once

#include <string>
#include <vector>

namespace craft {

// The projections that LoraOptions::targets may name, and "all-linear" for all of them.
std::vector<std::string> lora_target_names();

}  // namespace craft
