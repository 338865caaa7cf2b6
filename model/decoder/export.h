// Adapters leave the house: merged into a copy of their model, or as PEFT reads them.
#pragma once

#include <c10/core/ScalarType.h>

#include <filesystem>

namespace craft {

// Weights, config.json and generation_config.json of `model` with the adapter's products added, in the folder `out`: the
// dtypes and shards of the base, sums in float32. A part of one tensor is in memory at a time. Where embedding and head
// differ afterwards, config.json unties them. Throws Error as Decoder::load and load_adapter do, before anything is written.
void export_merged(const std::filesystem::path& model, const std::filesystem::path& adapter,
                   const std::filesystem::path& out);

// A GGUF file as a folder `out`: model.safetensors with all weights in `dtype` (float32 or bfloat16), config.json and
// generation_config.json. A part of one tensor is in memory at a time. Throws Error as Decoder::load does, before anything
// is written.
void export_model(const std::filesystem::path& model, at::ScalarType dtype, const std::filesystem::path& out);

// The adapter as it is, with `model` named as its base in adapter_config.json. Throws Error where it does not fit the model.
void export_adapter(const std::filesystem::path& model, const std::filesystem::path& adapter,
                    const std::filesystem::path& out);

}  // namespace craft
