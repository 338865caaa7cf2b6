// The header of a GGUF file: its metadata, and where its tensors' bytes lie. Inside model/files only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/files/gguf_blocks.h"
#include "model/files/gguf_value.h"

namespace craft {

struct GgufTensor {
    std::vector<int64_t> shape;  // as other formats write it, rows first: the file has it the other way round
    GgufType type = GgufType::f32;
    size_t part = 0;              // of a split model: which file
    uint64_t begin = 0, end = 0;  // bytes in that file
};

struct GgufHeader {
    std::map<std::string, GgufValue> metadata;
    std::map<std::string, GgufTensor> tensors;
};

// `bytes` are all of a file's, whatever they are. Before they are believed they are checked: lengths and counts against what
// is there, types, sizes, alignment, names; tensors lie within the file and apart. Nothing is allocated from sizes that they
// only claim. Throws Error naming `where`, the file, and the key or tensor where one is to blame.
GgufHeader read_gguf_header(std::string_view bytes, const std::string& where);

}  // namespace craft
