// The tensors of a model: model.safetensors of a folder, or the shards that model.safetensors.index.json names, else
// pytorch_model.bin or its shards, or a GGUF file.
#pragma once

#include <ATen/core/Tensor.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/weights/device_upload.h"
#include "model/weights/tensor_file.h"

namespace craft {

// Opening reads the headers only; a tensor's bytes come from the mapped file when it is read.
class WeightFiles {
public:
    // Throws Error naming the file: none there, an index that names a missing shard or a tensor that its shard does not
    // hold, whatever SafetensorsFile, PytorchFile or GgufTensors refuses.
    explicit WeightFiles(const std::filesystem::path& model);

    bool has(const std::string& name) const { return where_.count(name) > 0; }
    const std::vector<int64_t>& shape(const std::string& name) const;
    at::ScalarType dtype(const std::string& name) const;
    std::vector<std::string> names() const;               // sorted
    std::string place_of(const std::string& name) const;  // "FILE: tensor 'NAME'"; the tensor must be there
    const std::map<std::string, std::unique_ptr<TensorFile>>& files() const { return files_; }  // by name
    // Throws Error naming file and tensor: absent, another shape, no floating dtype. The tensor counts as known.
    void expect(const std::string& name, const std::vector<int64_t>& shape);
    void expect_stored(const std::string& name);  // the same of any shape and dtype: the caller looks at them
    // Copies the tensor into `to`, of the same shape, converted to its dtype and device, in one pass; the file's pages are
    // given back. With `transposed` the file holds it as [columns, rows]. To a GPU it travels beside what the caller does
    // next (DeviceUpload).
    void read_into(const std::string& name, const at::Tensor& to, bool transposed = false) const;
    // Tells the system that the tensor is read soon: the disk begins while another one is copied.
    void expect_soon(const std::string& name) const { file_of(name).will_need(name); }
    // Whether mapped() can give these: of this dtype, one after the other in one file.
    bool are_neighbours(const std::vector<std::string>& names, at::ScalarType dtype) const;
    // Such tensors as one flat tensor without a copy: TensorFile::mapped.
    at::Tensor mapped(const std::vector<std::string>& names) const;
    // A copy as stored; the file's pages are given back.
    at::Tensor stored(const std::string& name) const;
    bool has_blocks(const std::string& name) const { return file_of(name).has_blocks(name); }
    uint64_t stored_bytes(const std::string& name) const { return file_of(name).bytes(name); }
    QuantizedWeight blocks(const std::string& name) const;  // TensorFile::blocks; the file's pages are given back
    // Calls f with the tensor's stored values, [columns, rows] turned with `transposed`; then the file's pages are given
    // back.
    void with_view(const std::string& name, bool transposed, const std::function<void(const at::Tensor&)>& f) const;
    // Calls f with the values part by part, in the order of their rows; then the file's pages are given back.
    void for_each_part(const std::string& name, const std::function<void(const at::Tensor& rows)>& f) const;
    bool equal(const std::string& one, const std::string& other) const;  // the same bytes and dtype
    // Throws Error naming the first tensor that no expect() named, but for those with an ending of `ignored`: they are told
    // in a debug line.
    void expect_no_others(const std::vector<std::string>& ignored, const std::string& owner) const;
    void log_bytes_read() const;  // a debug line: bytes read so far, seconds since the files were opened

private:
    const TensorFile& file_of(const std::string& name) const;
    // Its bytes are counted as read, its pages given back.
    void finish_reading(const std::string& name) const;
    void open_folder();
    void open(const std::string& file);
    void read_index(const std::filesystem::path& index);

    std::filesystem::path folder_;
    std::string index_;  // the file that names the shards; empty: there is one file
    std::map<std::string, std::unique_ptr<TensorFile>> files_;
    std::map<std::string, std::string> where_;  // tensor -> file
    std::set<std::string> expected_;
    mutable std::unique_ptr<DeviceUpload> upload_;  // none until a tensor goes to a device
    mutable uint64_t bytes_read_ = 0;
    std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
};

// Whether a model's folder has weights to be opened, or it is a file.
bool has_weights(const std::filesystem::path& model);

}  // namespace craft
