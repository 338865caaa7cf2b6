#include "model/files/gguf.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/error.h"
#include "core/model_files.h"
#include "core/utf8.h"

namespace craft {

namespace {

using Type = GgufValue::Type;

constexpr std::string_view kMagic = "GGUF";
constexpr uint64_t kMostDimensions = 4, kLongestKey = 65535, kMostAlignment = 1 << 20;
constexpr uint64_t kShortestEntry = 8 + 1 + 4 + 1;           // key, type, value
constexpr uint64_t kShortestTensor = 8 + 1 + 4 + 8 + 4 + 8;  // name, dimensions, one of them, type, offset

template <class Number>
Number read_number(std::string_view bytes) {
    static_assert(std::endian::native == std::endian::little, "numbers are taken as they lie in the file");
    Number number;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

// Bytes of a number; 0 for texts and lists.
uint64_t size_of(Type type) {
    switch (type) {
        case Type::u8:
        case Type::i8:
        case Type::boolean:
            return 1;
        case Type::u16:
        case Type::i16:
            return 2;
        case Type::u32:
        case Type::i32:
        case Type::f32:
            return 4;
        case Type::u64:
        case Type::i64:
        case Type::f64:
            return 8;
        case Type::text:
        case Type::array:
            break;
    }
    return 0;
}

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
        return read_number<Number>(take(sizeof(Number)));
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

std::string in_quotes(std::string_view name) {
    const std::string text = shortened(name, 80);
    return invalid_utf8_at(text) == std::string::npos ? "'" + text + "'" : "bytes that are not UTF-8";
}

GgufValue read_value(Cursor& in, const std::string& where) {
    const auto type_of = [&](uint32_t number) {
        if (number > static_cast<uint32_t>(Type::f64)) throw Error(where, "a type from 0 to 12", std::to_string(number));
        return static_cast<Type>(number);
    };
    GgufValue value;
    value.type = type_of(in.number<uint32_t>());
    value.is_list = value.type == Type::array;
    if (value.is_list) {
        value.type = type_of(in.number<uint32_t>());
        if (value.type == Type::array) throw Error(where, "a list of numbers or texts", "a list of lists");
        value.count = in.count("elements", value.type == Type::text ? 8 : size_of(value.type));
    }
    if (value.type != Type::text) {
        value.bytes = in.take(value.count * size_of(value.type));
        return value;
    }
    Cursor texts = in;
    for (uint64_t i = 0; i < value.count; ++i) texts.text();
    value.bytes = in.take(texts.at() - in.at());
    return value;
}

int64_t integer_at(Type type, std::string_view bytes, bool& is_integer) {
    is_integer = true;
    switch (type) {
        case Type::u8:
        case Type::boolean:
            return read_number<uint8_t>(bytes);
        case Type::i8:
            return read_number<int8_t>(bytes);
        case Type::u16:
            return read_number<uint16_t>(bytes);
        case Type::i16:
            return read_number<int16_t>(bytes);
        case Type::u32:
            return read_number<uint32_t>(bytes);
        case Type::i32:
            return read_number<int32_t>(bytes);
        case Type::i64:
            return read_number<int64_t>(bytes);
        case Type::u64: {
            const auto value = read_number<uint64_t>(bytes);
            is_integer = value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
            return is_integer ? static_cast<int64_t>(value) : 0;
        }
        default:
            is_integer = false;
            return 0;
    }
}

double shortest_decimal(float value) {
    std::array<char, 64> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    double wide = value;
    std::from_chars(digits.data(), written.ptr, wide);
    return wide;
}

GgufTensor read_tensor(Cursor& in, const std::string& where) {
    GgufTensor tensor;
    const auto dimensions = in.number<uint32_t>();
    if (dimensions < 1 || dimensions > kMostDimensions) throw Error(where, "1 to 4 dimensions", std::to_string(dimensions));
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
                                 : "take a file of the same model in another quantisation");
    }
    tensor.type = type->type;
    if (static_cast<uint64_t>(tensor.shape.back()) % type->values != 0)
        throw Error(where, "rows of whole blocks of " + std::to_string(type->values) + " values",
                    std::to_string(tensor.shape.back()));
    tensor.begin = in.number<uint64_t>();
    tensor.end = values / type->values * type->bytes;  // how many; read_part() adds where they begin
    return tensor;
}

// The tensors of one file, none of which may share bytes with another.
void check_apart(std::vector<std::pair<const GgufTensor*, std::string>>& tensors) {
    std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) { return a.first->begin < b.first->begin; });
    for (size_t i = 1; i < tensors.size(); ++i)
        if (tensors[i].first->begin < tensors[i - 1].first->end)
            throw Error(tensors[i].second, "bytes of its own, from " + std::to_string(tensors[i - 1].first->end) + " on",
                        std::to_string(tensors[i].first->begin), "tensors overlap");
}

}  // namespace

std::string shown(const GgufValue& value) {
    if (value.is_list) return std::to_string(value.count) + (value.type == Type::text ? " texts" : " numbers");
    if (value.type == Type::text) return in_quotes(value.bytes.substr(8));
    if (value.type == Type::boolean) return value.bytes[0] != 0 ? "true" : "false";
    bool is_integer = false;
    const int64_t integer = integer_at(value.type, value.bytes, is_integer);
    if (is_integer) return std::to_string(integer);
    std::array<char, 64> digits{};
    const auto write = [&](auto number) {
        return std::string(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    };
    if (value.type == Type::f32) return write(read_number<float>(value.bytes));
    return value.type == Type::f64 ? write(read_number<double>(value.bytes)) : write(read_number<uint64_t>(value.bytes));
}

GgufFile::GgufFile(const std::filesystem::path& path) {
    const std::vector<std::filesystem::path> paths = model_parts(path);
    for (size_t i = 0; i < paths.size(); ++i) read_part(paths[i], i);
    const std::optional<int64_t> count = integer("split.count");
    if (count && *count > 1 && static_cast<size_t>(*count) != paths.size())
        throw Error(path.string(), "the name of a part of a split model (NAME-00001-of-00003.gguf)",
                    path.filename().string(), "its parts are found by their names");
    expect_model();
}

void GgufFile::read_part(const std::filesystem::path& path, size_t part) {
    const std::string where = path.string();
    parts_.emplace_back(path, "a GGUF file");
    const std::string_view bytes = parts_.back().bytes();
    if (!bytes.starts_with(kMagic))
        throw Error(where, "a GGUF file", bytes.size() < kMagic.size() ? "a file that is too short" : "something else");
    Cursor in(bytes, where);
    in.take(kMagic.size());
    if (const auto version = in.number<uint32_t>(); version != 2 && version != 3) {
        const bool is_swapped = (version & 0xFFFF) == 0;
        throw Error(where, "GGUF of version 2 or 3",
                    is_swapped ? "one of a big-endian machine" : "version " + std::to_string(version),
                    version == 1 ? "convert the model again" : "");
    }
    const auto tensor_count = in.count("tensors", kShortestTensor), key_count = in.count("keys", kShortestEntry);
    std::map<std::string, GgufValue> metadata;
    for (uint64_t i = 0; i < key_count; ++i) {
        in.enter(where + ": key " + std::to_string(i));
        const std::string key(in.text());
        if (key.empty() || key.size() > kLongestKey || invalid_utf8_at(key) != std::string::npos)
            throw Error(where + ": key " + std::to_string(i), "a name in UTF-8", "an empty one or other bytes");
        const std::string entry = where + ": " + key;
        in.enter(entry);
        if (!metadata.emplace(key, read_value(in, entry)).second) throw Error(entry, "each key once", "it twice");
    }
    if (part == 0) {
        metadata_ = std::move(metadata);
    } else {  // the parts say which they are, and nothing else that counts
        const auto number = metadata.find("split.no");
        bool is_integer = false;
        if (number == metadata.end() || number->second.is_list ||
            integer_at(number->second.type, number->second.bytes, is_integer) != static_cast<int64_t>(part))
            throw Error(where + ": split.no", std::to_string(part),
                        number == metadata.end() ? "nothing" : shown(number->second), "a part of another model?");
    }
    const auto alignment_of = [&](const std::map<std::string, GgufValue>& keys) -> uint64_t {
        constexpr uint64_t kUsual = 32;
        const auto found = keys.find("general.alignment");
        if (found == keys.end()) return kUsual;
        bool is_integer = false;
        const int64_t value = found->second.is_list ? 0 : integer_at(found->second.type, found->second.bytes, is_integer);
        if (value < 1 || static_cast<uint64_t>(value) > kMostAlignment || !std::has_single_bit(static_cast<uint64_t>(value)))
            throw Error(where + ": general.alignment", "a power of 2 up to " + std::to_string(kMostAlignment),
                        shown(found->second));
        return static_cast<uint64_t>(value);
    };
    const uint64_t alignment = alignment_of(part == 0 ? metadata_ : metadata);
    std::vector<std::pair<const GgufTensor*, std::string>> here;
    for (uint64_t i = 0; i < tensor_count; ++i) {
        in.enter(where + ": tensor " + std::to_string(i));
        const std::string name(in.text());
        const std::string entry = where + ": tensor " + in_quotes(name);
        if (name.empty() || name.size() > kLongestKey || invalid_utf8_at(name) != std::string::npos)
            throw Error(where + ": tensor " + std::to_string(i), "a name in UTF-8", "an empty one or other bytes");
        in.enter(entry);
        GgufTensor tensor = read_tensor(in, entry);
        tensor.part = part;
        if (tensor.begin % alignment != 0)
            throw Error(entry, "to begin at a multiple of " + std::to_string(alignment) + " bytes",
                        std::to_string(tensor.begin));
        const auto [added, is_new] = tensors_.emplace(name, tensor);
        if (!is_new) throw Error(entry, "each tensor once", "it twice");
        here.emplace_back(&added->second, entry);
    }
    const uint64_t data = (in.at() + alignment - 1) / alignment * alignment;
    for (auto& [name, tensor] : tensors_) {
        if (tensor.part != part) continue;
        const uint64_t size = tensor.end;
        if (data > bytes.size() || tensor.begin > bytes.size() - data || size > bytes.size() - data - tensor.begin)
            throw Error(place_of(name),
                        std::to_string(size) + " bytes from byte " + std::to_string(data) + " + " +
                            std::to_string(tensor.begin) + " on",
                        "a file of " + std::to_string(bytes.size()), "the file is truncated");
        tensor.begin += data;
        tensor.end = tensor.begin + size;
    }
    check_apart(here);
}

void GgufFile::expect_model() const {
    const std::string type(text("general.type").value_or("model")), architecture = required_text("general.architecture");
    const std::string expected = "a language model";
    if (type == "adapter") throw Error(path(), expected, "a LoRA adapter", "--adapter takes adapters, as PEFT's folders");
    if (type == "mmproj" || architecture == "clip")
        throw Error(path(), expected, "a projector of images or sound (mmproj)", "the language model is a file of its own");
    if (type != "model") throw Error(path(), expected, in_quotes(type));
}

const GgufValue* GgufFile::value(const std::string& key) const {
    const auto found = metadata_.find(key);
    return found == metadata_.end() ? nullptr : &found->second;
}

void GgufFile::fail(const std::string& key, const std::string& expected, const std::string& hint) const {
    const GgufValue* got = value(key);
    throw Error(path() + ": " + key, expected, got == nullptr ? "nothing" : shown(*got), hint);
}

std::optional<int64_t> GgufFile::integer(const std::string& key) const {
    const GgufValue* found = value(key);
    if (found == nullptr) return std::nullopt;
    bool is_integer = false;
    const int64_t number = found->is_list ? 0 : integer_at(found->type, found->bytes, is_integer);
    if (!is_integer || found->type == Type::boolean) fail(key, "an integer");
    return number;
}

std::optional<double> GgufFile::number(const std::string& key) const {
    const GgufValue* found = value(key);
    if (found == nullptr) return std::nullopt;
    if (!found->is_list && found->type == Type::f32) {
        const auto number = read_number<float>(found->bytes);
        if (!std::isfinite(number)) fail(key, "a finite number");
        return shortest_decimal(number);
    }
    if (!found->is_list && found->type == Type::f64) {
        const auto number = read_number<double>(found->bytes);
        if (!std::isfinite(number)) fail(key, "a finite number");
        return number;
    }
    bool is_integer = false;
    const int64_t whole = found->is_list ? 0 : integer_at(found->type, found->bytes, is_integer);
    if (!is_integer || found->type == Type::boolean) fail(key, "a number");
    return static_cast<double>(whole);
}

std::optional<bool> GgufFile::flag(const std::string& key) const {
    const GgufValue* found = value(key);
    if (found == nullptr) return std::nullopt;
    if (found->is_list || found->type != Type::boolean) fail(key, "true or false");
    return found->bytes[0] != 0;
}

std::optional<std::string_view> GgufFile::text(const std::string& key) const {
    const GgufValue* found = value(key);
    if (found == nullptr) return std::nullopt;
    if (found->is_list || found->type != Type::text) fail(key, "a text");
    const std::string_view text = found->bytes.substr(sizeof(uint64_t));
    if (invalid_utf8_at(text) != std::string_view::npos) fail(key, "UTF-8");
    return text;
}

std::optional<std::vector<int64_t>> GgufFile::integers(const std::string& key) const {
    const GgufValue* found = value(key);
    if (found == nullptr) return std::nullopt;
    if (!found->is_list || found->type == Type::text) fail(key, "a list of integers");
    std::vector<int64_t> all;
    const uint64_t size = size_of(found->type);
    for (uint64_t i = 0; i < found->count; ++i) {
        bool is_integer = false;
        all.push_back(integer_at(found->type, found->bytes.substr(i * size), is_integer));
        if (!is_integer) fail(key, "a list of integers");
    }
    return all;
}

std::optional<std::vector<float>> GgufFile::floats(const std::string& key) const {
    const GgufValue* found = value(key);
    if (found == nullptr) return std::nullopt;
    if (!found->is_list || found->type != Type::f32) fail(key, "a list of float32 numbers");
    std::vector<float> all(found->count);
    if (!all.empty()) std::memcpy(all.data(), found->bytes.data(), found->bytes.size());
    return all;
}

std::optional<std::vector<std::string_view>> GgufFile::texts(const std::string& key) const {
    const GgufValue* found = value(key);
    if (found == nullptr) return std::nullopt;
    if (!found->is_list || found->type != Type::text) fail(key, "a list of texts");
    std::vector<std::string_view> all;
    all.reserve(found->count);
    Cursor in(found->bytes, path() + ": " + key);
    for (uint64_t i = 0; i < found->count; ++i) {
        all.push_back(in.text());
        if (invalid_utf8_at(all.back()) != std::string_view::npos)
            throw Error(path() + ": " + key, "texts in UTF-8", "other bytes in number " + std::to_string(i));
    }
    return all;
}

int64_t GgufFile::required_integer(const std::string& key) const {
    const std::optional<int64_t> found = integer(key);
    if (!found) throw Error(path(), "the key '" + key + "'", "none");
    return *found;
}

std::string GgufFile::required_text(const std::string& key) const {
    const std::optional<std::string_view> found = text(key);
    if (!found) throw Error(path(), "the key '" + key + "'", "none");
    return std::string(*found);
}

const GgufTensor* GgufFile::find(const std::string& tensor) const {
    const auto found = tensors_.find(tensor);
    return found == tensors_.end() ? nullptr : &found->second;
}

std::string_view GgufFile::bytes(const GgufTensor& tensor) const {
    return parts_[tensor.part].bytes().substr(tensor.begin, tensor.end - tensor.begin);
}

std::string GgufFile::place_of(const std::string& tensor) const {
    const GgufTensor* found = find(tensor);
    return (found == nullptr ? path() : parts_[found->part].path().string()) + ": tensor '" + tensor + "'";
}

}  // namespace craft
