// What weights, decoders and adapters are, for `inspect`: read from configs and headers, never from weights.
#pragma once

#include <filesystem>

#include "core/json.h"

namespace craft {

// {"tensors", "parameters", "bytes", "dtypes": {name: parameters}, "largest": [..]}. Throws Error as SafetensorsFile does.
Json describe_safetensors(const std::filesystem::path& file);
// The same of a model folder's files together, and "files". Throws Error as WeightFiles does.
Json describe_weights(const std::filesystem::path& folder);
// Whether a model's config.json names one of the decoder architectures.
bool is_decoder(const std::filesystem::path& model);
// Sizes of a decoder, with what is particular to it. Throws Error as Decoder::load does, but for what only the weights'
// bytes could tell.
Json describe_decoder(const std::filesystem::path& folder);
// Rank, targets, base ... of a PEFT folder, and its tensors. Throws Error on what load_adapter would not take for any model.
Json describe_adapter(const std::filesystem::path& folder);

}  // namespace craft
