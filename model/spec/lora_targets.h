// What an adapter can be put on.
#pragma once

#include <string>
#include <vector>

#include "model/spec/decoder_config.h"
#include "model/spec/lora_options.h"

namespace craft {

// The projections that LoraOptions::targets may name, and "all-linear" for all of them.
std::vector<std::string> lora_target_names();
// The modules of a decoder that can carry A and B, by their whole names: the embedding, each layer's projections, the head.
std::vector<std::string> adaptable_modules(const DecoderConfig& config);
// The layers, of this many, that an adapter is on: by `upper` one at least. Empty: all.
std::vector<int64_t> adapted_layers(const LoraOptions& options, int64_t layers);
// The targets of a new adapter in the architecture's own names, "all-linear" and `upper` resolved. Throws Error on an
// unknown one.
LoraOptions resolved_for(const DecoderConfig& config, LoraOptions options);

}  // namespace craft
