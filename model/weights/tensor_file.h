// A file of named tensors, whatever its format.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/kernels/quantized_weight.h"

namespace craft {

class TensorFile {
public:
    virtual ~TensorFile() = default;
    // All but names() and has() throw Error if the name is unknown.
    virtual std::vector<std::string> names() const = 0;  // sorted
    virtual bool has(const std::string& name) const = 0;
    virtual const std::vector<int64_t>& shape(const std::string& name) const = 0;
    virtual at::ScalarType dtype(const std::string& name) const = 0;   // of view()
    virtual std::string stored_as(const std::string& name) const = 0;  // "F32", "Q4_1"
    virtual uint64_t bytes(const std::string& name) const = 0;         // in the file
    // The values, read only: the file's own bytes where they can be taken as they are, valid as long as this object.
    virtual at::Tensor view(const std::string& name) const = 0;
    // Calls f with the values from row `first` on, part by part in order, so that no copy of all of them is needed.
    virtual void for_each_part(const std::string& name,
                               const std::function<void(const at::Tensor& rows, int64_t first)>& f) const {
        f(view(name), 0);
    }
    // Whether the file has the values of a matrix in blocks, which can be kept as they are.
    virtual bool has_blocks(const std::string&) const { return false; }
    // A copy of such blocks, rows in the order of view(). Throws Error where there are none.
    virtual QuantizedWeight blocks(const std::string& name) const {
        throw Error("tensor '" + name + "'", "a matrix in blocks", stored_as(name));
    }
    // Whether these tensors of one dtype lie one after the other, at a multiple of their size.
    virtual bool are_neighbours(const std::vector<std::string>& names) const = 0;
    // Such neighbours as one flat tensor: the file's own pages, read from the disk here, and there, with all of the file's,
    // until the last such tensor goes. A page that is written to becomes this process's own; the file never changes. Throws
    // Error if the disk does not give them.
    virtual at::Tensor mapped(const std::vector<std::string>& names) const = 0;
    // Tells the system that a tensor is read soon: the disk begins.
    virtual void will_need(const std::string& name) const = 0;
    // Gives the pages of a tensor back: what was read does not count as this process's memory any more. Not of one that is
    // mapped(): what was written there would be lost.
    virtual void release(const std::string& name) const = 0;
};

}  // namespace craft
