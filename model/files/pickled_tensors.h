// The tensors that torch.save() has pickled, read without running anything: of Python's objects only those exist here of
// which a dictionary of tensors is made, and whatever else a pickle names is refused.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// A view of a storage, which lies in an entry of the archive.
struct PickledTensor {
    std::string dtype;                    // as safetensors names it: "F32", "BF16" ...
    std::string storage;                  // its key: "0"
    int64_t storage_size = 0;             // elements that it is said to have
    int64_t offset = 0;                   // elements
    std::vector<int64_t> shape, strides;  // the latter in elements, none below 0; all of it lies inside the storage
};

// A dictionary (or OrderedDict) of tensors by name. Throws Error naming `where`: an opcode, a global or a form of a value
// that such a dictionary does not need, a value that is no tensor, one that lies outside its storage, bytes that end too
// early.
std::map<std::string, PickledTensor> parse_pickled_tensors(std::string_view pickle, const std::string& where);

// Whether a file begins as those of PyTorch before 1.6, which are pickles without an archive.
bool is_bare_pickle(std::string_view bytes);

}  // namespace craft
