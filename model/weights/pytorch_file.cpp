#include "model/weights/pytorch_file.h"

#include <torch/types.h>

#include <cstring>

#include "core/error.h"
#include "model/files/zip_entries.h"
#include "model/weights/safetensors.h"

namespace craft {

namespace {

std::string_view bytes_of(std::string_view file, const ZipEntry& entry) {
    return file.substr(entry.begin, entry.end - entry.begin);
}

// The archive's own folder, "archive/" or the file's name, by where its pickle stands.
std::string root_of(const std::map<std::string, ZipEntry>& entries, const std::string& file) {
    const std::string pickle = "/data.pkl";
    for (const auto& [name, entry] : entries)
        if (name.ends_with(pickle) && name.find('/') == name.size() - pickle.size())
            return name.substr(0, name.size() - pickle.size() + 1);
    throw Error(file, "an archive of torch.save() with data.pkl", "none");
}

}  // namespace

PytorchFile::PytorchFile(const std::filesystem::path& path) : file_(path, "a file of torch.save()") {
    const std::string_view bytes = file_.bytes();
    const std::string file = path.string();
    if (is_bare_pickle(bytes))
        throw Error(file, "an archive of torch.save()", "the form that PyTorch had before 1.6",
                    "load it and save it again with a present PyTorch, or with safetensors");
    const std::map<std::string, ZipEntry> entries = parse_stored_zip(bytes, file);
    const std::string root = root_of(entries, file);
    if (const auto order = entries.find(root + "byteorder"); order != entries.end())
        if (bytes_of(bytes, order->second) != "little") throw Error(file, "numbers with the lowest byte first", "others");
    for (auto& [name, tensor] : parse_pickled_tensors(bytes_of(bytes, entries.at(root + "data.pkl")), file)) {
        const std::string where = file + ": tensor '" + name + "'";
        const auto storage = entries.find(root + "data/" + tensor.storage);
        if (storage == entries.end()) throw Error(where, "its storage '" + tensor.storage + "'", "none of that name");
        const uint64_t size = storage->second.end - storage->second.begin;
        const uint64_t element = safetensors_dtype_bytes(tensor.dtype);
        if (size / element != static_cast<uint64_t>(tensor.storage_size) || size % element != 0)
            throw Error(where, "a storage of " + std::to_string(tensor.storage_size) + " numbers in " + tensor.dtype,
                        std::to_string(size) + " bytes");
        tensors_[name] = {std::move(tensor), storage->second.begin, storage->second.end};
    }
}

std::vector<std::string> PytorchFile::names() const {
    std::vector<std::string> all;
    for (const auto& [name, entry] : tensors_) all.push_back(name);
    return all;
}

const PytorchFile::Entry& PytorchFile::entry(const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) throw Error(file_.path().string(), "a tensor '" + name + "'", "none of that name");
    return found->second;
}

at::ScalarType PytorchFile::dtype(const std::string& name) const {
    return safetensors_dtype(entry(name).pickled.dtype);
}

uint64_t PytorchFile::bytes(const std::string& name) const {
    uint64_t bytes = safetensors_dtype_bytes(entry(name).pickled.dtype);
    for (const int64_t size : entry(name).pickled.shape) bytes *= static_cast<uint64_t>(size);
    return bytes;
}

at::Tensor PytorchFile::view(const std::string& name) const {
    const Entry& e = entry(name);
    const at::ScalarType type = dtype(name);
    const auto element = static_cast<uint64_t>(at::elementSize(type));
    const auto options = at::TensorOptions().dtype(type);
    if (bytes(name) == 0) return at::empty(e.pickled.shape, options);
    at::Tensor storage;
    if (e.begin % element == 0) {
        char* const first = const_cast<char*>(file_.bytes().data()) + e.begin;  // at::Tensor knows no constant bytes
        storage = at::from_blob(first, {e.pickled.storage_size}, options);
    } else {
        storage = at::empty({e.pickled.storage_size}, options);
        std::memcpy(storage.data_ptr(), file_.bytes().data() + e.begin, e.end - e.begin);
    }
    return storage.as_strided(e.pickled.shape, e.pickled.strides, e.pickled.offset).contiguous();
}

at::Tensor PytorchFile::mapped(const std::vector<std::string>& names) const {
    throw Error(file_.path().string() + ": tensor '" + names.front() + "'", "neighbours", "storages that lie apart");
}

void PytorchFile::will_need(const std::string& name) const {
    file_.will_need(entry(name).begin, entry(name).end);
}

void PytorchFile::release(const std::string& name) const {
    file_.release(entry(name).begin, entry(name).end);
}

}  // namespace craft
