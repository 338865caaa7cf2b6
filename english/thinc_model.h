// The weights of one component of a spaCy package, as thinc writes them: layers in an order, each with its tensors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "english/msgpack.h"

namespace craft {

struct ThincTensor {
    std::string name;            // "W"
    std::vector<int64_t> shape;  // up to four sizes, each at least 1
    std::vector<float> values;   // in C order
};

struct ThincLayer {
    std::string name;  // "hashembed", "maxout", "layernorm", "linear", ...
    std::vector<ThincTensor> tensors;
    std::vector<std::pair<std::string, std::string>> attributes;  // MessagePack documents of their own

    // A natural number or texts among the attributes; throw Error naming `where` if there is none of that kind.
    uint64_t number(std::string_view attribute, const std::string& where) const;
    std::vector<std::string> texts(std::string_view attribute, const std::string& where) const;
    // A tensor of this shape; throws Error naming `where` if it is absent or has another shape.
    const ThincTensor& tensor(std::string_view name, const std::vector<int64_t>& shape, const std::string& where) const;
    // A tensor with this many sizes.
    const ThincTensor& tensor_of_sizes(std::string_view name, size_t sizes, const std::string& where) const;
};

class ThincModel {
public:
    // Reads a component's file `model`. Throws Error naming `where` and the layer if a part is missing or of a wrong kind, a
    // tensor is not of 32-bit numbers, its bytes are not as many as its shape says, or a number in it is not finite.
    ThincModel(std::string_view bytes, const std::string& where);

    const std::string& where() const { return where_; }
    const std::vector<ThincLayer>& layers() const { return layers_; }
    // Those of this name, in the file's order.
    std::vector<const ThincLayer*> named(std::string_view name) const;
    // The only one of this name; throws Error if there is none, or more.
    const ThincLayer& only(std::string_view name) const;

private:
    std::string where_;
    std::vector<ThincLayer> layers_;
};

}  // namespace craft
