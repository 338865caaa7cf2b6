#include "model/weights/safetensors.h"

#include <torch/types.h>

#include <cstring>

#include "core/error.h"

namespace craft {

namespace {

// All that the format has.
const std::vector<std::pair<std::string, at::ScalarType>>& dtype_names() {
    static const std::vector<std::pair<std::string, at::ScalarType>> names = {
        {"F64", at::kDouble}, {"F32", at::kFloat}, {"BF16", at::kBFloat16}, {"F16", at::kHalf}, {"I64", at::kLong},
        {"I32", at::kInt},    {"I16", at::kShort}, {"I8", at::kChar},       {"U8", at::kByte},  {"BOOL", at::kBool}};
    return names;
}

at::ScalarType dtype_of(const StoredTensor& tensor) {
    return safetensors_dtype(tensor.dtype);
}

}  // namespace

at::ScalarType safetensors_dtype(const std::string& name) {
    for (const auto& [text, dtype] : dtype_names())
        if (text == name) return dtype;
    throw Error("a dtype of safetensors", "one that LibTorch has", name);
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : file_(path, "a safetensors file"), header_(parse_safetensors_header(file_.bytes(), path.string())) {}

std::vector<std::string> SafetensorsFile::names() const {
    std::vector<std::string> all;
    for (const auto& [name, tensor] : header_.tensors) all.push_back(name);
    return all;
}

const StoredTensor& SafetensorsFile::entry(const std::string& name) const {
    const auto found = header_.tensors.find(name);
    if (found == header_.tensors.end()) throw Error(file_.path().string(), "a tensor '" + name + "'", "none of that name");
    return found->second;
}

at::ScalarType SafetensorsFile::dtype(const std::string& name) const {
    return dtype_of(entry(name));
}

at::Tensor SafetensorsFile::tensor(const std::string& name) const {
    const StoredTensor& e = entry(name);
    at::Tensor copy = at::empty(e.shape, at::TensorOptions().dtype(dtype_of(e)));
    if (e.end > e.begin) std::memcpy(copy.data_ptr(), file_.bytes().data() + e.begin, e.end - e.begin);
    return copy;
}

at::Tensor SafetensorsFile::view(const std::string& name) const {
    const StoredTensor& e = entry(name);
    // Foreign headers may have any length: numbers that do not lie at a multiple of their size are copied.
    if (e.begin % at::elementSize(dtype_of(e)) != 0) return tensor(name);
    char* const bytes = const_cast<char*>(file_.bytes().data()) + e.begin;  // at::Tensor knows no constant bytes
    return at::from_blob(bytes, e.shape, at::TensorOptions().dtype(dtype_of(e)));
}

bool SafetensorsFile::are_neighbours(const std::vector<std::string>& names) const {
    const StoredTensor& first = entry(names.front());
    uint64_t end = first.begin;
    for (const std::string& name : names) {
        const StoredTensor& e = entry(name);
        if (e.begin != end || e.dtype != first.dtype) return false;
        end = e.end;
    }
    return first.begin % at::elementSize(dtype_of(first)) == 0;
}

at::Tensor SafetensorsFile::mapped(const std::vector<std::string>& names) const {
    const StoredTensor& first = entry(names.front());
    const uint64_t begin = first.begin, end = entry(names.back()).end;
    const at::ScalarType dtype = dtype_of(first);
    const std::shared_ptr<char> bytes = file_.private_pages(begin, end);
    const auto numbers = static_cast<int64_t>((end - begin) / at::elementSize(dtype));
    return at::from_blob(
        bytes.get(), {numbers}, [bytes](void*) {}, at::TensorOptions().dtype(dtype));
}

void SafetensorsFile::will_need(const std::string& name) const {
    const StoredTensor& e = entry(name);
    file_.will_need(e.begin, e.end);
}

void SafetensorsFile::release(const std::string& name) const {
    const StoredTensor& e = entry(name);
    file_.release(e.begin, e.end);
}

std::string SafetensorsFile::stored_as(const std::string& name) const {
    return entry(name).dtype;
}

std::string safetensors_dtype_name(at::ScalarType dtype) {
    for (const auto& [text, known] : dtype_names())
        if (known == dtype) return text;
    return "";
}

}  // namespace craft
