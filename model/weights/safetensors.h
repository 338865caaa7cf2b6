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

namespace craft {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// A file mapped into memory, whose header was found right (parse_safetensors_header).
class SafetensorsFile {
public:
    // Throws Error naming the file, and the tensor where one is to blame.
    explicit SafetensorsFile(const std::filesystem::path& path);

    std::vector<std::string> names() const;  // sorted
    bool has(const std::string& name) const { return header_.tensors.count(name) > 0; }
    const std::vector<int64_t>& shape(const std::string& name) const { return entry(name).shape; }
    at::ScalarType dtype(const std::string& name) const;
    uint64_t bytes(const std::string& name) const { return entry(name).end - entry(name).begin; }
    // A copy, as stored. Throws Error if the name is unknown.
    at::Tensor tensor(const std::string& name) const;
    // The stored bytes themselves, read only: valid as long as this object. Throws Error if the name is unknown.
    at::Tensor view(const std::string& name) const;
    // Whether these tensors of one dtype lie one behind the other, at a multiple of their size.
    bool are_neighbours(const std::vector<std::string>& names) const;
    // Such neighbours as one flat tensor: the file's own pages, read from the disk here, and there, with all of the file's,
    // until the last such tensor goes. A page that is written to becomes this process's own; the file never changes. Throws
    // Error if the disk does not give them.
    at::Tensor mapped(const std::vector<std::string>& names) const;
    // Tells the system that a tensor is read soon: the disk begins.
    void will_need(const std::string& name) const;
    // Gives the pages of a tensor back: what was read does not count as this process's memory any more. Not of one that is
    // mapped(): what was written there would be lost.
    void release(const std::string& name) const;
    const std::map<std::string, std::string>& metadata() const { return header_.metadata; }

private:
    const StoredTensor& entry(const std::string& name) const;  // throws Error if the name is unknown

    MappedFile file_;
    SafetensorsHeader header_;
};

// "F32", "BF16" ...; empty for a dtype that the format does not have.
std::string safetensors_dtype_name(at::ScalarType dtype);

// Temporary name, fsync, rename. The same tensors give the same bytes: wider types first, then by name, metadata
// {"format":"pt"} as transformers expects. Throws Error on a repeated name, an unsupported dtype or a failed write.
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors);

}  // namespace craft
