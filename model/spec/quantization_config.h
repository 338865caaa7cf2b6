// What config.json says of weights that a folder holds in few bits. Inside model/ only.
#pragma once

#include <string>

#include "core/json.h"

namespace craft {

// Throws Error naming the file where config.json's `quantization_config` asks for anything but bitsandbytes' NF4: GPTQ, AWQ,
// FP8, FP4, LLM.int8 ... True if it asks for NF4, false if there is none.
bool is_stored_in_nf4(const Json& config, const std::string& file);

}  // namespace craft
