// Reads the tensors of encoders and encoder-decoders: all are checked before memory is taken for any. Inside model/ only.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/encoder/block_stack.h"
#include "model/spec/encoder_family.h"
#include "model/weights/weight_files.h"

namespace craft {

class EncoderFiles {
public:
    EncoderFiles(const std::filesystem::path& folder, const EncoderFamily& family);

    // Each throws Error naming file and tensor: absent, another shape, no floating dtype. `place` is filled by load() and
    // must live until then. Names are without ".weight" and ".bias", those of the body with the family's prefix.
    void want(const std::string& name, const std::vector<int64_t>& shape, at::Tensor& place, int64_t first = 0,
              const std::vector<int64_t>& whole = {});
    void want(const std::vector<std::string>& names, int64_t out, int64_t in, Affine& place);  // one below the other
    void want(const std::string& name, int64_t size, Norm& place);
    void want(const StackNames& names, const EncoderConfig& config, const StackConfig& sizes, BlockStack& place);
    // Word embeddings or a head: the first of the names; with `tied` the first one that is there. Places of equal matrices
    // share one tensor.
    void want_words(const std::vector<std::string>& names, const std::vector<int64_t>& shape, bool tied, at::Tensor& place);

    bool has(const std::string& name) const { return files_.has(name_in_files(name)); }
    // Tensors whose names begin so (after the prefix too) may be there and are not read.
    void leave_out(const std::vector<std::string>& beginnings);
    // Throws Error naming the first tensor that nobody wants, and where memory does not hold those that are wanted; then
    // reads.
    void load(const std::string& architecture, at::ScalarType dtype, const at::Device& device);

private:
    struct Slot {
        std::string name;  // in the files
        std::vector<int64_t> shape, whole;
        at::Tensor* place = nullptr;
        int64_t first = 0;
    };
    std::string name_in_files(const std::string& name) const;
    void expect_memory(at::ScalarType dtype, const at::Device& device) const;

    std::filesystem::path folder_;
    const EncoderFamily& family_;
    WeightFiles files_;
    bool is_bare_ = false;  // files leave the prefix out
    std::vector<Slot> slots_;
    std::vector<std::string> words_;  // matrices of embeddings, none equal to another
    std::vector<std::string> left_out_;
};

}  // namespace craft
