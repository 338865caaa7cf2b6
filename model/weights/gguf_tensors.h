// The tensors of a GGUF file as transformers names and lays them out.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/files/gguf.h"
#include "model/files/gguf_config.h"
#include "model/weights/tensor_file.h"

namespace craft {

// Values in blocks are float32 here, dequantised when they are read; F32, F16 and BF16 stay what they are.
class GgufTensors final : public TensorFile {
public:
    // Throws Error as GgufFile and gguf_weights() do.
    explicit GgufTensors(const std::filesystem::path& path);

    std::vector<std::string> names() const override;
    bool has(const std::string& name) const override { return weights_.count(name) > 0; }
    const std::vector<int64_t>& shape(const std::string& name) const override { return weight(name).shape; }
    at::ScalarType dtype(const std::string& name) const override;
    std::string stored_as(const std::string& name) const override;
    uint64_t bytes(const std::string& name) const override;
    at::Tensor view(const std::string& name) const override;
    void for_each_part(const std::string& name,
                       const std::function<void(const at::Tensor& rows, int64_t first)>& f) const override;
    bool has_blocks(const std::string& name) const override;
    QuantizedWeight blocks(const std::string& name) const override;
    bool are_neighbours(const std::vector<std::string>& names) const override;
    at::Tensor mapped(const std::vector<std::string>& names) const override;
    void will_need(const std::string& name) const override;
    void release(const std::string& name) const override;

private:
    const GgufWeight& weight(const std::string& name) const;
    const GgufTensor& tensor(const std::string& name) const { return *file_.find(weight(name).stored); }
    at::Tensor rows_of(const std::string& name, int64_t first, int64_t count) const;

    GgufFile file_;
    std::map<std::string, GgufWeight> weights_;
};

}  // namespace craft
