#include "model/files/gguf_header.h"

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

using ValueType = GgufValue::Type;

constexpr std::string_view kMagic = "GGUF";
constexpr uint64_t kMaxDimensions = 4, kLongestName = 65535, kMaxAlignment = 1 << 20;
constexpr uint64_t kShortestEntry = 8 + 1 + 4 + 1;           // key, type, value
constexpr uint64_t kShortestTensor = 8 + 1 + 4 + 8 + 4 + 8;  // name, dimensions, one of them, type, offset

// Reads a header from its beginning; what goes beyond the file is an error.
class Cursor {
public:
    Cursor(std::string_view bytes, std::string where) : bytes_(bytes), where_(std::move(where)) {}

    uint64_t at() const { return at_; }
    uint64_t left() const { return bytes_.size() - at_; }
    // What errors name from now on.
    void enter(std::string where) { where_ = std::move(where); }

    std::string_view take(uint64_t count) {
        if (count > left())
            throw Error(where_, std::to_string(count) + " bytes from byte " + std::to_string(at_) + " on",
                        "a file that ends at " + std::to_string(bytes_.size()), "the file is truncated or damaged");
        const std::string_view taken = bytes_.substr(at_, count);
        at_ += count;
        return taken;
    }
    template <class Number>
    Number number() {
        return number_at<Number>(take(sizeof(Number)));
    }
    std::string_view text() { return take(number<uint64_t>()); }
    // A number of things that take at least `shortest` bytes each.
    uint64_t count(const std::string& things, uint64_t shortest) {
        const auto n = number<uint64_t>();
        if (n > left() / shortest)
            throw Error(where_, "as many " + things + " as the file has room for", std::to_string(n),
                        "the file is truncated or damaged");
        return n;
    }

private:
    std::string_view bytes_;
    std::string where_;
    uint64_t at_ = 0;
};

GgufValue read_value(Cursor& in, const std::string& where) {
    const auto type_of = [&](uint32_t number) {
        if (number > static_cast<uint32_t>(ValueType::f64))
            throw Error(where, "a type from 0 to 12", std::to_string(number));
        return static_cast<ValueType>(number);
    };
    GgufValue value;
    value.type = type_of(in.number<uint32_t>());
    value.is_list = value.type == ValueType::array;
    if (value.is_list) {
        value.type = type_of(in.number<uint32_t>());
        if (value.type == ValueType::array) throw Error(where, "a list of numbers or texts", "a list of lists");
        value.count = in.count("elements", value.type == ValueType::text ? 8 : size_of(value.type));
    }
    if (value.type != ValueType::text) {
        value.bytes = in.take(value.count * size_of(value.type));
        return value;
    }
    Cursor texts = in;
    for (uint64_t i = 0; i < value.count; ++i) texts.text();
    value.bytes = in.take(texts.at() - in.at());
    return value;
}

GgufTensor read_tensor(Cursor& in, const std::string& where) {
    GgufTensor tensor;
    const auto dimensions = in.number<uint32_t>();
    if (dimensions < 1 || dimensions > kMaxDimensions) throw Error(where, "1 to 4 dimensions", std::to_string(dimensions));
    uint64_t values = 1;
    for (uint32_t i = 0; i < dimensions; ++i) {
        const auto size = in.number<uint64_t>();
        if (size < 1 || size > (uint64_t{1} << 40) || __builtin_mul_overflow(values, size, &values) ||
            values > (uint64_t{1} << 48))
            throw Error(where, "sizes of a tensor that fits memory", std::to_string(size));
        tensor.shape.insert(tensor.shape.begin(), static_cast<int64_t>(size));
    }
    const auto number = in.number<uint32_t>();
    const GgufTypeInfo* type = find_gguf_type(number);
    if (type == nullptr) {
        const std::string name(unread_gguf_type(number));
        throw Error(where, "one of the types " + std::string(gguf_type_names()),
                    name.empty() ? "type " + std::to_string(number) : name,
                    name.empty() ? "the file is damaged, or made by a newer program"
                                 : "use a file of the same model in another quantisation");
    }
    tensor.type = type->type;
    if (static_cast<uint64_t>(tensor.shape.back()) % type->values != 0)
        throw Error(where, "rows of whole blocks of " + std::to_string(type->values) + " values",
                    std::to_string(tensor.shape.back()));
    tensor.begin = in.number<uint64_t>();
    tensor.end = values / type->values * type->bytes;  // how many; read_tensors() adds where they begin
    return tensor;
}

void expect_beginning(Cursor& in, std::string_view bytes, const std::string& where) {
    if (!bytes.starts_with(kMagic))
        throw Error(where, "a GGUF file", bytes.size() < kMagic.size() ? "a file that is too short" : "something else");
    in.take(kMagic.size());
    const auto version = in.number<uint32_t>();
    if (version == 2 || version == 3) return;
    const bool is_swapped = (version & 0xFFFF) == 0;
    throw Error(where, "GGUF of version 2 or 3",
                is_swapped ? "one of a big-endian machine" : "version " + std::to_string(version),
                version == 1 ? "convert the model again" : "");
}

std::string read_name(Cursor& in, const std::string& where) {
    in.enter(where);
    const std::string name(in.text());
    if (name.empty() || name.size() > kLongestName || invalid_utf8_at(name) != std::string::npos)
        throw Error(where, "a name in UTF-8", "an empty one or other bytes");
    return name;
}

using Metadata = std::map<std::string, GgufValue>;

Metadata read_metadata(Cursor& in, uint64_t count, const std::string& where) {
    Metadata metadata;
    for (uint64_t i = 0; i < count; ++i) {
        const std::string key = read_name(in, where + ": key " + std::to_string(i)), entry = where + ": " + key;
        in.enter(entry);
        if (!metadata.emplace(key, read_value(in, entry)).second) throw Error(entry, "each key once", "it twice");
    }
    return metadata;
}

uint64_t alignment_of(const Metadata& metadata, const std::string& where) {
    constexpr uint64_t kUsual = 32;
    const auto found = metadata.find("general.alignment");
    if (found == metadata.end()) return kUsual;
    const auto value = static_cast<uint64_t>(integer_of(found->second).value_or(0));
    if (value > kMaxAlignment || !std::has_single_bit(value))
        throw Error(where + ": general.alignment", "a power of 2 up to " + std::to_string(kMaxAlignment),
                    shown(found->second));
    return value;
}

struct NamedTensor {
    std::string name;
    GgufTensor tensor;
};

std::string entry_of(const std::string& where, const std::string& name) {
    return where + ": tensor " + in_quotes(name);
}

// The table of tensors, which the header ends with, their offsets as those of the file's bytes: within it and apart.
std::vector<NamedTensor> read_tensors(Cursor& in, uint64_t count, uint64_t alignment, const std::string& where) {
    std::vector<NamedTensor> tensors;
    for (uint64_t i = 0; i < count; ++i) {
        const std::string name = read_name(in, where + ": tensor " + std::to_string(i)), entry = entry_of(where, name);
        in.enter(entry);
        tensors.push_back({name, read_tensor(in, entry)});
        if (const uint64_t begin = tensors.back().tensor.begin; begin % alignment != 0)
            throw Error(entry, "to begin at a multiple of " + std::to_string(alignment) + " bytes", std::to_string(begin));
    }
    const uint64_t data = (in.at() + alignment - 1) / alignment * alignment, whole = in.at() + in.left();
    for (auto& [name, tensor] : tensors) {
        const uint64_t size = tensor.end;
        if (data > whole || tensor.begin > whole - data || size > whole - data - tensor.begin)
            throw Error(entry_of(where, name),
                        std::to_string(size) + " bytes from byte " + std::to_string(data) + " + " +
                            std::to_string(tensor.begin) + " on",
                        "a file of " + std::to_string(whole), "the file is truncated");
        tensor.begin += data;
        tensor.end = tensor.begin + size;
    }
    std::sort(tensors.begin(), tensors.end(),
              [](const NamedTensor& a, const NamedTensor& b) { return a.tensor.begin < b.tensor.begin; });
    for (size_t i = 1; i < tensors.size(); ++i)
        if (tensors[i].tensor.begin < tensors[i - 1].tensor.end)
            throw Error(entry_of(where, tensors[i].name),
                        "bytes of its own, from " + std::to_string(tensors[i - 1].tensor.end) + " on",
                        std::to_string(tensors[i].tensor.begin), "tensors overlap");
    return tensors;
}

}  // namespace

GgufHeader read_gguf_header(std::string_view bytes, const std::string& where) {
    Cursor in(bytes, where);
    expect_beginning(in, bytes, where);
    const uint64_t tensors = in.count("tensors", kShortestTensor), keys = in.count("keys", kShortestEntry);
    GgufHeader header;
    header.metadata = read_metadata(in, keys, where);
    for (const auto& [name, tensor] : read_tensors(in, tensors, alignment_of(header.metadata, where), where))
        if (!header.tensors.emplace(name, tensor).second) throw Error(entry_of(where, name), "each tensor once", "it twice");
    return header;
}

}  // namespace craft
