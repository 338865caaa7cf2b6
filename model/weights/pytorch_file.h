// Tensors of pytorch_model.bin, as torch.save() writes them: a ZIP archive with a pickle, of which nothing is run.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/files/mapped_file.h"
#include "model/files/pickled_tensors.h"
#include "model/weights/tensor_file.h"

namespace craft {

class PytorchFile final : public TensorFile {
public:
    // Throws Error naming the file: none of torch.save()'s archives, of another byte order, what parse_stored_zip() and
    // parse_pickled_tensors() refuse, a storage that is not there or of another size.
    explicit PytorchFile(const std::filesystem::path& path);

    std::vector<std::string> names() const override;
    bool has(const std::string& name) const override { return tensors_.contains(name); }
    const std::vector<int64_t>& shape(const std::string& name) const override { return entry(name).pickled.shape; }
    at::ScalarType dtype(const std::string& name) const override;
    std::string stored_as(const std::string& name) const override { return entry(name).pickled.dtype; }
    uint64_t bytes(const std::string& name) const override;
    // A copy where the numbers do not lie one after the other, at a multiple of their size.
    at::Tensor view(const std::string& name) const override;
    // Storages lie apart in the archive.
    bool are_neighbours(const std::vector<std::string>&) const override { return false; }
    at::Tensor mapped(const std::vector<std::string>& names) const override;
    void will_need(const std::string& name) const override;
    void release(const std::string& name) const override;

private:
    struct Entry {
        PickledTensor pickled;
        uint64_t begin = 0, end = 0;  // of its storage in the file
    };
    const Entry& entry(const std::string& name) const;

    MappedFile file_;
    std::map<std::string, Entry> tensors_;
};

}  // namespace craft
