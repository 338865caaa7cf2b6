#include "english/thinc_model.h"

#include <cmath>
#include <cstring>

#include "core/error.h"

namespace craft {

namespace {

constexpr size_t kMaxSizes = 4;
constexpr uint64_t kLargestSize = 1'000'000;

const MsgpackValue& list_field(const MsgpackValue& value, const std::string& name, const std::string& where) {
    const MsgpackValue* found = value.find(name);
    if (found == nullptr || !found->is_array()) throw Error(where, "a list '" + name + "'", "none");
    return *found;
}

std::string shape_text(const std::vector<int64_t>& shape) {
    std::string text;
    for (const int64_t size : shape) text += (text.empty() ? "[" : ", ") + std::to_string(size);
    return text.empty() ? "[]" : text + "]";
}

// An array of numpy, as msgpack-numpy writes it: {nd: true, type: "<f4", kind: "", shape: [...], data: bytes}.
ThincTensor read_tensor(std::string_view name, const MsgpackValue& value, const std::string& where) {
    ThincTensor tensor;
    tensor.name = name;
    const MsgpackValue* type = value.find("type");
    const MsgpackValue* data = value.find("data");
    if (type == nullptr || data == nullptr || data->kind != MsgpackValue::Kind::bytes)
        throw Error(where, "an array with its type and data", "another value");
    if (type->text != "<f4") throw Error(where, "32-bit numbers ('<f4')", "'" + std::string(type->text.substr(0, 20)) + "'");
    uint64_t numbers = 1;
    for (const MsgpackValue& size : list_field(value, "shape", where).items) {
        if (!size.is_natural() || size.integer == 0 || size.integer > kLargestSize || tensor.shape.size() == kMaxSizes)
            throw Error(where, "up to " + std::to_string(kMaxSizes) + " sizes of 1 to " + std::to_string(kLargestSize),
                        "others");
        tensor.shape.push_back(static_cast<int64_t>(size.integer));
        numbers *= size.integer;
        if (numbers > data->text.size()) break;  // refused below; the product stays within 64 bits
    }
    if (numbers * sizeof(float) != data->text.size())
        throw Error(where, "data for the shape " + shape_text(tensor.shape), std::to_string(data->text.size()) + " bytes");
    tensor.values.resize(numbers);
    std::memcpy(tensor.values.data(), data->text.data(), data->text.size());
    for (const float number : tensor.values)
        if (!std::isfinite(number)) throw Error(where, "finite numbers", "one that is not");
    return tensor;
}

void read_tensors(const MsgpackValue& params, ThincLayer& layer, const std::string& where) {
    if (!params.is_map()) throw Error(where, "a map of tensors", "another kind of value");
    for (size_t i = 0; i + 1 < params.items.size(); i += 2) {
        if (!params.items[i].is_text()) throw Error(where, "names of tensors", "another kind of value");
        if (params.items[i + 1].kind == MsgpackValue::Kind::nil) continue;  // a parameter that was never set
        const std::string_view name = params.items[i].text;
        layer.tensors.push_back(read_tensor(name, params.items[i + 1], where + ": " + std::string(name)));
    }
}

void read_attributes(const MsgpackValue& attributes, ThincLayer& layer, const std::string& where) {
    if (!attributes.is_map()) throw Error(where, "a map of attributes", "another kind of value");
    for (size_t i = 0; i + 1 < attributes.items.size(); i += 2) {
        if (!attributes.items[i].is_text() || attributes.items[i + 1].kind != MsgpackValue::Kind::bytes)
            throw Error(where, "attributes as bytes by their names", "another kind of value");
        layer.attributes.emplace_back(attributes.items[i].text, attributes.items[i + 1].text);
    }
}

const std::string* find_attribute(const ThincLayer& layer, std::string_view name) {
    for (const auto& [key, bytes] : layer.attributes)
        if (key == name) return &bytes;
    return nullptr;
}

const ThincTensor* find_tensor(const ThincLayer& layer, std::string_view name) {
    for (const ThincTensor& tensor : layer.tensors)
        if (tensor.name == name) return &tensor;
    return nullptr;
}

}  // namespace

uint64_t ThincLayer::number(std::string_view attribute, const std::string& where) const {
    const std::string* bytes = find_attribute(*this, attribute);
    const std::string place = where + ": " + name + ": " + std::string(attribute);
    if (bytes == nullptr) throw Error(place, "a number", "none");
    const MsgpackValue value = parse_msgpack(*bytes, place);
    if (!value.is_natural()) throw Error(place, "a number of at least 0", "another value");
    return value.integer;
}

std::vector<std::string> ThincLayer::texts(std::string_view attribute, const std::string& where) const {
    const std::string* bytes = find_attribute(*this, attribute);
    const std::string place = where + ": " + name + ": " + std::string(attribute);
    if (bytes == nullptr) throw Error(place, "a list of texts", "none");
    const MsgpackValue value = parse_msgpack(*bytes, place);
    std::vector<std::string> texts;
    if (!value.is_array()) throw Error(place, "a list of texts", "another value");
    for (const MsgpackValue& item : value.items) {
        if (!item.is_text()) throw Error(place, "a list of texts", "another value in it");
        texts.emplace_back(item.text);
    }
    return texts;
}

const ThincTensor& ThincLayer::tensor(std::string_view wanted, const std::vector<int64_t>& shape,
                                      const std::string& where) const {
    const ThincTensor* found = find_tensor(*this, wanted);
    if (found == nullptr || found->shape != shape)
        throw Error(where + ": " + name + ": " + std::string(wanted), "a tensor of the shape " + shape_text(shape),
                    found == nullptr ? "none" : shape_text(found->shape));
    return *found;
}

const ThincTensor& ThincLayer::tensor_of_sizes(std::string_view wanted, size_t sizes, const std::string& where) const {
    const ThincTensor* found = find_tensor(*this, wanted);
    if (found == nullptr || found->shape.size() != sizes)
        throw Error(where + ": " + name + ": " + std::string(wanted), "a tensor of " + std::to_string(sizes) + " sizes",
                    found == nullptr ? "none" : shape_text(found->shape));
    return *found;
}

ThincModel::ThincModel(std::string_view bytes, const std::string& where) : where_(where) {
    const MsgpackValue file = parse_msgpack(bytes, where);
    const MsgpackValue& nodes = list_field(file, "nodes", where);
    const MsgpackValue& attributes = list_field(file, "attrs", where);
    const MsgpackValue& params = list_field(file, "params", where);
    const size_t layers = nodes.items.size();
    if (attributes.items.size() != layers || params.items.size() != layers)
        throw Error(where, "attributes and parameters for each of " + std::to_string(layers) + " layers",
                    std::to_string(attributes.items.size()) + " and " + std::to_string(params.items.size()));
    for (size_t i = 0; i < layers; ++i) {
        const std::string place = where + ": layer " + std::to_string(i);
        ThincLayer layer;
        const MsgpackValue* name = nodes.items[i].find("name");
        if (name == nullptr || !name->is_text()) throw Error(place, "a name", "none");
        layer.name = name->text;
        read_tensors(params.items[i], layer, place);
        read_attributes(attributes.items[i], layer, place);
        layers_.push_back(std::move(layer));
    }
}

std::vector<const ThincLayer*> ThincModel::named(std::string_view name) const {
    std::vector<const ThincLayer*> found;
    for (const ThincLayer& layer : layers_)
        if (layer.name == name) found.push_back(&layer);
    return found;
}

const ThincLayer& ThincModel::only(std::string_view name) const {
    const std::vector<const ThincLayer*> found = named(name);
    if (found.size() != 1) throw Error(where_, "one layer '" + std::string(name) + "'", std::to_string(found.size()));
    return *found.front();
}

}  // namespace craft
