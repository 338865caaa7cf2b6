// adapter_config.json of PEFT. Inside model/ only, and for whoever shows what an adapter is.
#pragma once

#include <filesystem>
#include <string>

#include "core/json.h"
#include "model/spec/lora_options.h"

namespace craft {

// Throws Error naming file and key: no LoRA adapter, a kind of LoRA or of start that changes the mathematics and is not
// supported, values of other types or out of range. `file` is for messages.
LoraOptions parse_adapter_config(const Json& json, const std::string& file);
// Of a folder; warns of keys that have a value and that nobody knows here. Throws Error also where there is no such file, or
// weights in a format that cannot be read.
LoraOptions read_adapter_config(const std::filesystem::path& folder);
// What PEFT reads. `base` is the model's name or folder, `transposed` whether its projections are stored as [in, out].
Json adapter_config_json(const LoraOptions& options, const std::string& base, bool transposed,
                         bool is_encoder_decoder = false);
// Throws Error: a rank below 1, dropout outside [0, 1).
void check_lora_options(const LoraOptions& options, const std::string& where);

}  // namespace craft
