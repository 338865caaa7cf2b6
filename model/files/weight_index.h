// model.safetensors.index.json: which file of a model folder holds each tensor.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/json.h"

namespace craft {

// Tensors with the names of their files, in the index's order. Throws Error naming `file`, the index: no object 'weight_map'
// with something in it, or anything in it but the name of a file in the same folder.
std::vector<std::pair<std::string, std::string>> parse_weight_index(const Json& index, const std::string& file);

}  // namespace craft
