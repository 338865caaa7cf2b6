// The architectures of GGUF files that can be read. Inside model/files only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/files/gguf.h"

namespace craft {

struct GgufArchitecture {
    std::string name;               // general.architecture
    std::string huggingface;        // "LlamaForCausalLM"
    std::string model_type;         // "llama"
    std::vector<std::string> keys;  // those under "NAME." beside kCommonKeys
    std::string body, layers;       // "model.", "layers"
    // (GGUF's, transformers') names without ".weight" and ".bias": of the whole model, and of a layer.
    std::vector<std::pair<std::string, std::string>> model_names, layer_names;
    bool interleaves = false;  // queries and keys
    bool transposes = false;   // projections
    bool adds_one = false;     // to norms
};

// Throws Error naming the file and listing the known ones.
const GgufArchitecture& gguf_architecture(const GgufFile& file);

// A size that all layers share, under a whole key: one number, or a list of equal ones, from 1 to 2^31. Without a default a
// missing key is an error, which names file and key as others do.
int64_t shared_size(const GgufFile& file, const std::string& key, std::optional<int64_t> absent = std::nullopt);

}  // namespace craft
