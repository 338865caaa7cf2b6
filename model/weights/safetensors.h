// Tensors of safetensors files.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/files/mapped_file.h"
#include "model/files/safetensors_header.h"
#include "model/weights/tensor_file.h"

namespace craft {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// A file mapped into memory, whose header was found right (parse_safetensors_header).
class SafetensorsFile final : public TensorFile {
public:
    // Throws Error naming the file, and the tensor where one is to blame.
    explicit SafetensorsFile(const std::filesystem::path& path);

    std::vector<std::string> names() const override;
    bool has(const std::string& name) const override { return header_.tensors.count(name) > 0; }
    const std::vector<int64_t>& shape(const std::string& name) const override { return entry(name).shape; }
    at::ScalarType dtype(const std::string& name) const override;
    std::string stored_as(const std::string& name) const override;
    uint64_t bytes(const std::string& name) const override { return entry(name).end - entry(name).begin; }
    // A copy, as stored. Throws Error if the name is unknown.
    at::Tensor tensor(const std::string& name) const;
    at::Tensor view(const std::string& name) const override;
    bool are_neighbours(const std::vector<std::string>& names) const override;
    at::Tensor mapped(const std::vector<std::string>& names) const override;
    void will_need(const std::string& name) const override;
    void release(const std::string& name) const override;
    const std::map<std::string, std::string>& metadata() const { return header_.metadata; }

private:
    const StoredTensor& entry(const std::string& name) const;  // throws Error if the name is unknown

    MappedFile file_;
    SafetensorsHeader header_;
};

// "F32", "BF16" ...; empty for a dtype that the format does not have. And back: throws Error for a name that LibTorch has no
// dtype for.
std::string safetensors_dtype_name(at::ScalarType dtype);
at::ScalarType safetensors_dtype(const std::string& name);

// Temporary name, fsync, rename. The same tensors give the same bytes: wider types first, then by name, metadata
// {"format":"pt"} as transformers expects. Throws Error on a repeated name, an unsupported dtype or a failed write.
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors);

}  // namespace craft
