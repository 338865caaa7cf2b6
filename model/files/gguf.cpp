#include "model/files/gguf.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/model_files.h"
#include "core/utf8.h"

namespace craft {

namespace {

using Type = GgufValue::Type;

// Parts after the first say which they are, and nothing else that counts.
void expect_part(const std::map<std::string, GgufValue>& metadata, size_t part, const std::string& where) {
    const auto number = metadata.find("split.no");
    if (number == metadata.end() || integer_of(number->second) != static_cast<int64_t>(part))
        throw Error(where + ": split.no", std::to_string(part), number == metadata.end() ? "nothing" : shown(number->second),
                    "a part of another model?");
}

double shortest_decimal(float value) {
    std::array<char, 64> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    double wide = value;
    std::from_chars(digits.data(), written.ptr, wide);
    return wide;
}

}  // namespace

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
    parts_.emplace_back(path, "a GGUF file");
    GgufHeader header = read_gguf_header(parts_.back().bytes(), path.string());
    for (auto& [name, tensor] : header.tensors) {
        tensor.part = part;
        if (!tensors_.emplace(name, tensor).second)
            throw Error(path.string() + ": tensor " + in_quotes(name), "each tensor once", "it twice");
    }
    if (part == 0)
        metadata_ = std::move(header.metadata);
    else
        expect_part(header.metadata, part, path.string());
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
    const std::optional<int64_t> number = integer_of(*found);
    if (!number || found->type == Type::boolean) fail(key, "an integer");
    return number;
}

std::optional<double> GgufFile::number(const std::string& key) const {
    const GgufValue* found = value(key);
    if (found == nullptr) return std::nullopt;
    if (!found->is_list && found->type == Type::f32) {
        const auto number = number_at<float>(found->bytes);
        if (!std::isfinite(number)) fail(key, "a finite number");
        return shortest_decimal(number);
    }
    if (!found->is_list && found->type == Type::f64) {
        const auto number = number_at<double>(found->bytes);
        if (!std::isfinite(number)) fail(key, "a finite number");
        return number;
    }
    const std::optional<int64_t> whole = integer_of(*found);
    if (!whole || found->type == Type::boolean) fail(key, "a number");
    return static_cast<double>(*whole);
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
        const std::optional<int64_t> number = integer_at(found->type, found->bytes.substr(i * size));
        if (!number) fail(key, "a list of integers");
        all.push_back(*number);
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
    for (std::string_view left = found->bytes; all.size() < found->count;) {  // lengths were found right
        all.push_back(left.substr(sizeof(uint64_t), number_at<uint64_t>(left)));
        left.remove_prefix(sizeof(uint64_t) + all.back().size());
        if (invalid_utf8_at(all.back()) != std::string_view::npos)
            throw Error(path() + ": " + key, "texts in UTF-8", "other bytes in number " + std::to_string(all.size() - 1));
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
