#include "model/files/safetensors_header.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/error.h"

namespace craft {

namespace {

constexpr uint64_t kLongestHeader = 100'000'000;  // the limit of the reference implementation
constexpr uint64_t kLengthBytes = 8;

constexpr std::array<std::pair<std::string_view, uint64_t>, 10> kDtypeBytes = {{{"F64", 8},
                                                                                {"F32", 4},
                                                                                {"BF16", 2},
                                                                                {"F16", 2},
                                                                                {"I64", 8},
                                                                                {"I32", 4},
                                                                                {"I16", 2},
                                                                                {"I8", 1},
                                                                                {"U8", 1},
                                                                                {"BOOL", 1}}};

uint64_t length_of_header(std::string_view bytes) {
    uint64_t value = 0;
    for (size_t i = kLengthBytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

// Deeper than {"tensor": {"shape": [..]}} no header goes; what claims to would only take memory.
constexpr int kDeepestHeader = 4;

// A tensor named twice is an error that plain JSON parsing would hide.
nlohmann::json json_of_header(std::string_view text, const std::string& file) {
    std::set<std::string> seen;
    std::string twice;
    const auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
        if (depth > kDeepestHeader) throw Error(file, "tensors with dtype, shape and data_offsets", "JSON nested deeper");
        if (event == nlohmann::json::parse_event_t::key && depth == 1 && !seen.insert(value.get<std::string>()).second)
            twice = value.get<std::string>();
        return true;
    };
    nlohmann::json header = nlohmann::json::parse(text.begin(), text.end(), watch, false);
    if (header.is_discarded() || !header.is_object()) throw Error(file, "a JSON object as header", "something else");
    if (!twice.empty()) throw Error(file, "each tensor once", "'" + twice + "' twice");
    return header;
}

bool is_list_of_sizes(const nlohmann::json& list) {
    return list.is_array() && std::all_of(list.begin(), list.end(), [](const nlohmann::json& n) {
               return n.is_number_unsigned() && n.get<uint64_t>() <= uint64_t{1} << 62;
           });
}

// Its bytes are counted from the end of the header.
StoredTensor tensor_in_header(const nlohmann::json& value, const std::string& where) {
    if (!value.is_object() || !value.contains("dtype") || !value["dtype"].is_string() || !value.contains("shape") ||
        !is_list_of_sizes(value["shape"]) || !value.contains("data_offsets") || !is_list_of_sizes(value["data_offsets"]) ||
        value["data_offsets"].size() != 2)
        throw Error(where, "dtype, shape and data_offsets", "a header entry without them");
    StoredTensor tensor;
    tensor.dtype = value["dtype"].get<std::string>();
    uint64_t bytes = safetensors_dtype_bytes(tensor.dtype);
    if (bytes == 0) throw Error(where, "a known dtype (F32, BF16, F16, ...)", tensor.dtype);
    tensor.shape = value["shape"].get<std::vector<int64_t>>();
    tensor.begin = value["data_offsets"][0].get<uint64_t>();
    tensor.end = value["data_offsets"][1].get<uint64_t>();
    for (const int64_t n : tensor.shape)
        if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(n), &bytes))
            throw Error(where, "a shape that fits memory", "an overflow");
    if (tensor.end < tensor.begin || tensor.end - tensor.begin != bytes)
        throw Error(where, std::to_string(bytes) + " bytes for its shape",
                    "offsets " + std::to_string(tensor.begin) + " to " + std::to_string(tensor.end));
    return tensor;
}

void check_ranges(const std::map<std::string, StoredTensor>& tensors, uint64_t data_bytes, const std::string& file) {
    std::vector<std::pair<std::pair<uint64_t, uint64_t>, std::string>> ranges;
    for (const auto& [name, tensor] : tensors) ranges.push_back({{tensor.begin, tensor.end}, name});
    std::sort(ranges.begin(), ranges.end());
    uint64_t next = 0;
    for (const auto& [range, name] : ranges) {
        if (range.first != next)
            throw Error(file + ": tensor '" + name + "'", "to begin at byte " + std::to_string(next),
                        std::to_string(range.first), "ranges overlap or leave a hole");
        next = range.second;
    }
    if (next != data_bytes)
        throw Error(file, std::to_string(next) + " bytes of tensors", std::to_string(data_bytes),
                    next > data_bytes ? "the file is truncated" : "bytes that belong to no tensor");
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view bytes, const std::string& file) {
    if (bytes.size() < kLengthBytes)
        throw Error(file, "a safetensors file", std::to_string(bytes.size()) + " bytes", "the file is truncated");
    const uint64_t length = length_of_header(bytes);
    if (length > kLongestHeader || length > bytes.size() - kLengthBytes)
        throw Error(file, "a header inside the file's " + std::to_string(bytes.size()) + " bytes",
                    "a header length of " + std::to_string(length), "the file is truncated or not safetensors");
    const uint64_t data = kLengthBytes + length;
    const nlohmann::json json = json_of_header(bytes.substr(kLengthBytes, length), file);
    SafetensorsHeader header;
    for (const auto& [name, value] : json.items()) {
        if (name != "__metadata__") {
            header.tensors[name] = tensor_in_header(value, file + ": tensor '" + name + "'");
            continue;
        }
        if (!value.is_object()) throw Error(file, "__metadata__ as an object", value.type_name());
        for (const auto& [key, text] : value.items())
            if (text.is_string()) header.metadata[key] = text.get<std::string>();
    }
    check_ranges(header.tensors, bytes.size() - data, file);
    for (auto& [name, tensor] : header.tensors) {
        tensor.begin += data;
        tensor.end += data;
    }
    return header;
}

uint64_t safetensors_dtype_bytes(std::string_view dtype) {
    for (const auto& [name, bytes] : kDtypeBytes)
        if (name == dtype) return bytes;
    return 0;
}

}  // namespace craft
