// What is wrong with an adapter by itself, whatever the model. Inside model/ only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/spec/lora_options.h"

namespace craft {

// How the two halves of an adapter are named after their module.
struct HalfNames {
    std::string_view a, b;
};
inline constexpr HalfNames kLinearHalves = {".lora_A.weight", ".lora_B.weight"};
inline constexpr HalfNames kEmbeddingHalves = {".lora_embedding_A", ".lora_embedding_B"};

// The shapes of all tensors of the folder's adapter_model.safetensors by name, without "base_model.model.", against the
// options of its adapter_config.json. Throws Error naming the file, and module or tensor, with a hint that fits: no tensors
// or no halves, tensors without values, a half without the other, halves of two ranks, patterns that match no module, a rank
// that is not that of the options.
void check_adapter_tensors(const std::map<std::string, std::vector<int64_t>>& shapes, const LoraOptions& options,
                           const std::filesystem::path& folder);

}  // namespace craft
