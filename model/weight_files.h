// The tensors of a model folder: model.safetensors, or the shards that model.safetensors.index.json names.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/safetensors.h"

namespace craft {

// Opening reads the headers only; a tensor's bytes come from the mapped file when it is read.
class WeightFiles {
public:
    // Throws Error naming the file: none there, an index that names a missing shard or a tensor that its shard does not
    // hold, whatever SafetensorsFile refuses.
    explicit WeightFiles(const std::filesystem::path& folder);

    bool has(const std::string& name) const { return where_.count(name) > 0; }
    const std::vector<int64_t>& shape(const std::string& name) const;
    std::vector<std::string> names() const;                                                          // sorted
    const std::map<std::string, std::unique_ptr<SafetensorsFile>>& files() const { return files_; }  // by name
    // Throws Error naming file and tensor: absent, another shape, no floating dtype. The tensor counts as known.
    void expect(const std::string& name, const std::vector<int64_t>& shape);
    // Copies the tensor into `to`, of the same shape, converted to its dtype and device, in one pass; the file's pages are
    // given back. With `transposed` the file holds it as [columns, rows].
    void read_into(const std::string& name, const at::Tensor& to, bool transposed = false) const;
    bool equal(const std::string& one, const std::string& other) const;  // the same bytes and dtype
    // Throws Error naming the first tensor that no expect() named, but for those with an ending of `ignored`: they are told
    // in a debug line.
    void expect_no_others(const std::vector<std::string>& ignored, const std::string& owner) const;

private:
    const SafetensorsFile& file_of(const std::string& name) const;
    std::string place_of(const std::string& name) const;  // "FILE: tensor 'NAME'"
    void open(const std::string& file);
    void read_index(const std::filesystem::path& index);

    std::filesystem::path folder_;
    std::map<std::string, std::unique_ptr<SafetensorsFile>> files_;
    std::map<std::string, std::string> where_;  // tensor -> file
    std::set<std::string> expected_;
};

}  // namespace craft
