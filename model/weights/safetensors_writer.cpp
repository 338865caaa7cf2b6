#include "model/weights/safetensors_writer.h"

#include <torch/types.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "model/weights/safetensors.h"

namespace craft {

namespace {

// The header, padded with blanks so that the tensors begin at a multiple of eight bytes.
std::string header_of(const std::vector<SafetensorsEntry>& entries) {
    nlohmann::ordered_json header = {{"__metadata__", {{"format", "pt"}}}};
    uint64_t offset = 0;
    for (const SafetensorsEntry& entry : entries) {
        const std::string dtype = safetensors_dtype_name(entry.dtype);
        if (header.contains(entry.name)) throw Error("tensor '" + entry.name + "'", "each tensor once", "the name twice");
        if (dtype.empty())
            throw Error("tensor '" + entry.name + "'", "a dtype that safetensors knows", c10::toString(entry.dtype));
        header[entry.name] = {{"dtype", dtype}, {"shape", entry.shape}, {"data_offsets", {offset, offset + entry.bytes()}}};
        offset += entry.bytes();
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    return text;
}

}  // namespace

uint64_t SafetensorsEntry::bytes() const {
    uint64_t total = at::elementSize(dtype);
    for (const int64_t size : shape) total *= static_cast<uint64_t>(size);
    return total;
}

SafetensorsWriter::SafetensorsWriter(std::filesystem::path path, const std::vector<SafetensorsEntry>& entries)
    : path_(std::move(path)), out_(path_.string()) {
    const std::string header = header_of(entries);
    for (const SafetensorsEntry& entry : entries) left_ += entry.bytes();
    std::array<char, 8> length{};
    for (size_t i = 0; i < length.size(); ++i) length[i] = static_cast<char>(header.size() >> (8 * i) & 0xff);
    out_.write({length.data(), length.size()});
    out_.write(header);
}

void SafetensorsWriter::append(const at::Tensor& values) {
    constexpr size_t kPiece = size_t{1} << 20;  // of what passes through the file's buffer
    const at::Tensor flat = values.detach().cpu().contiguous();
    if (flat.nbytes() > left_)
        throw Error(path_.string(), std::to_string(left_) + " bytes more", std::to_string(flat.nbytes()));
    left_ -= flat.nbytes();
    const std::string_view bytes(static_cast<const char*>(flat.const_data_ptr()), flat.nbytes());
    for (size_t at = 0; at < bytes.size(); at += kPiece) out_.write(bytes.substr(at, kPiece));
}

void SafetensorsWriter::close() {
    if (left_ != 0) throw Error(path_.string(), "all tensors written", std::to_string(left_) + " bytes missing");
    out_.close();
}

void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors) {
    NamedTensors ordered = tensors;
    std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
        const auto wide = a.second.element_size(), other = b.second.element_size();
        return wide != other ? wide > other : a.first < b.first;
    });
    std::vector<SafetensorsEntry> entries;
    for (const auto& [name, tensor] : ordered) entries.push_back({name, tensor.scalar_type(), tensor.sizes().vec()});
    SafetensorsWriter writer(path, entries);
    for (const auto& [name, tensor] : ordered) writer.append(tensor);
    writer.close();
}

}  // namespace craft
