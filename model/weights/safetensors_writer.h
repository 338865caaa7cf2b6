// Writes a safetensors file tensor by tensor, none of which need be in memory whole.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/files.h"

namespace craft {

struct SafetensorsEntry {
    std::string name;
    at::ScalarType dtype = at::kFloat;
    std::vector<int64_t> shape;

    uint64_t bytes() const;
};

// An OutputFile: whole at close(), and destroyed without it (an exception) not there. Metadata {"format":"pt"}
// as transformers expects. Every function throws Error with the path and the reason.
class SafetensorsWriter {
public:
    // Throws Error on a repeated name or an unsupported dtype.
    SafetensorsWriter(std::filesystem::path path, const std::vector<SafetensorsEntry>& entries);
    // The next values, in the order of the entries: a tensor, or some of its rows.
    void append(const at::Tensor& values);
    void close();

private:
    std::filesystem::path path_;
    OutputFile out_;
    uint64_t left_ = 0;  // bytes of tensors that are still to come
};

}  // namespace craft
