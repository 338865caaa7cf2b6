// Writes MessagePack documents for tests, also such as no program writes.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace craft::test {

// The last `bytes` bytes of a number, the highest first.
inline std::string big_endian(uint64_t number, int bytes) {
    std::string out;
    for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(number >> 8 * i & 0xFF);
    return out;
}
inline std::string pack(std::string_view text) {
    return '\xDB' + big_endian(text.size(), 4) + std::string(text);
}
inline std::string pack_bytes(std::string_view bytes) {
    return '\xC6' + big_endian(bytes.size(), 4) + std::string(bytes);
}
inline std::string pack_number(uint64_t number) {
    return '\xCF' + big_endian(number, 8);
}
inline std::string pack_bool(bool value) {
    return value ? "\xC3" : "\xC2";
}
inline const std::string kPackedNil = "\xC0";
inline std::string pack_list(const std::vector<std::string>& packed) {
    std::string out = '\xDD' + big_endian(packed.size(), 4);
    for (const std::string& item : packed) out += item;
    return out;
}
// Keys and values are packed already.
inline std::string pack_pairs(const std::vector<std::pair<std::string, std::string>>& packed) {
    std::string out = '\xDF' + big_endian(packed.size(), 4);
    for (const auto& [key, value] : packed) out += key + value;
    return out;
}
inline std::string pack_map(const std::vector<std::pair<std::string, std::string>>& values) {
    std::vector<std::pair<std::string, std::string>> packed;
    for (const auto& [key, value] : values) packed.emplace_back(pack(key), value);
    return pack_pairs(packed);
}
inline std::string pack_texts(const std::vector<std::string>& texts) {
    std::vector<std::string> packed;
    for (const std::string& text : texts) packed.push_back(pack(text));
    return pack_list(packed);
}

// An array as msgpack-numpy writes it.
inline std::string pack_tensor(const std::vector<uint64_t>& shape, const std::vector<float>& values) {
    std::vector<std::string> sizes;
    for (const uint64_t size : shape) sizes.push_back(pack_number(size));
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return pack_pairs({{pack_bytes("nd"), pack_bool(true)},
                       {pack_bytes("type"), pack("<f4")},
                       {pack_bytes("kind"), pack_bytes("")},
                       {pack_bytes("shape"), pack_list(sizes)},
                       {pack_bytes("data"), pack_bytes(bytes)}});
}

// A layer of a thinc model: its name, tensors and attributes, packed.
struct PackedLayer {
    std::string name;
    std::vector<std::pair<std::string, std::string>> tensors = {};
    std::vector<std::pair<std::string, std::string>> attributes = {};
};
inline std::string pack_model(const std::vector<PackedLayer>& layers) {
    std::vector<std::string> nodes, attributes, params;
    for (const PackedLayer& layer : layers) {
        nodes.push_back(pack_map({{"name", pack(layer.name)}}));
        std::vector<std::pair<std::string, std::string>> wrapped;
        for (const auto& [key, value] : layer.attributes) wrapped.emplace_back(key, pack_bytes(value));
        attributes.push_back(pack_map(wrapped));
        params.push_back(pack_map(layer.tensors));
    }
    return pack_map({{"nodes", pack_list(nodes)}, {"attrs", pack_list(attributes)}, {"params", pack_list(params)}});
}

}  // namespace craft::test
