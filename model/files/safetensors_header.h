// The header of a safetensors file: an 8-byte little-endian length, and JSON that says where each tensor's bytes lie.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

struct StoredTensor {
    std::string dtype;  // one of the format's names: "F32", "BF16" ...
    std::vector<int64_t> shape;
    uint64_t begin = 0, end = 0;  // its bytes in the file
};

struct SafetensorsHeader {
    std::map<std::string, StoredTensor> tensors;
    std::map<std::string, std::string> metadata;
};

// `bytes` are all of a file's, whatever they are. Before they are believed, they are checked: length, JSON, dtypes, shapes
// against byte counts, ranges inside the file, without holes or overlaps. Nothing is allocated from sizes that they only
// claim. Throws Error naming `file`, and the tensor where one is to blame.
SafetensorsHeader parse_safetensors_header(std::string_view bytes, const std::string& file);

// What a dtype's numbers take, in bytes; 0 for a name that the format does not have.
uint64_t safetensors_dtype_bytes(std::string_view dtype);

}  // namespace craft
