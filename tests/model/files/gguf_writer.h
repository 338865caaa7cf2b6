// Writes GGUF files for tests, right ones and, with the parts put together by hand, others.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/files/gguf_blocks.h"

namespace craft::test {

template <class Number>
std::string raw(Number number) {
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

inline std::string gguf_text(std::string_view text) {
    return raw(static_cast<uint64_t>(text.size())) + std::string(text);
}

class GgufWriter {
public:
    explicit GgufWriter(const std::string& architecture = "llama") { text("general.architecture", architecture); }

    // `type` as the format numbers it, `value` as it lies in the file.
    GgufWriter& value(const std::string& key, uint32_t type, const std::string& value) {
        entries_ += gguf_text(key) + raw(type) + value;
        ++keys_;
        return *this;
    }
    GgufWriter& text(const std::string& key, std::string_view text) { return value(key, 8, gguf_text(text)); }
    GgufWriter& u32(const std::string& key, uint32_t number) { return value(key, 4, raw(number)); }
    GgufWriter& f32(const std::string& key, float number) { return value(key, 6, raw(number)); }
    GgufWriter& flag(const std::string& key, bool is_set) { return value(key, 7, raw(static_cast<uint8_t>(is_set))); }
    GgufWriter& texts(const std::string& key, const std::vector<std::string>& all) {
        std::string bytes = raw(uint32_t{8}) + raw(static_cast<uint64_t>(all.size()));
        for (const std::string& one : all) bytes += gguf_text(one);
        return value(key, 9, bytes);
    }
    template <class Number>  // int32_t: type 5, float: type 6
    GgufWriter& numbers(const std::string& key, uint32_t type, const std::vector<Number>& all) {
        std::string bytes = raw(type) + raw(static_cast<uint64_t>(all.size()));
        for (const Number one : all) bytes += raw(one);
        return value(key, 9, bytes);
    }
    // `shape` as the format has it, columns first.
    GgufWriter& tensor(const std::string& name, const std::vector<uint64_t>& shape, uint32_t type,
                       const std::string& bytes) {
        return tensor_at(name, shape, type, data_.size(), bytes);
    }
    // The same with an offset of its own.
    GgufWriter& tensor_at(const std::string& name, const std::vector<uint64_t>& shape, uint32_t type, uint64_t offset,
                          const std::string& bytes) {
        infos_ += gguf_text(name) + raw(static_cast<uint32_t>(shape.size()));
        for (const uint64_t size : shape) infos_ += raw(size);
        infos_ += raw(type) + raw(offset);
        ++tensors_;
        data_ += bytes;
        data_.resize((data_.size() + alignment_ - 1) / alignment_ * alignment_);
        return *this;
    }
    GgufWriter& floats(const std::string& name, const std::vector<uint64_t>& shape, const std::vector<float>& values) {
        std::string bytes;
        for (const float one : values) bytes += raw(one);
        return tensor(name, shape, 0, bytes);
    }
    GgufWriter& align(uint32_t alignment) {
        alignment_ = alignment;
        return u32("general.alignment", alignment);
    }

    std::string bytes(uint32_t version = 3) const {
        std::string file = "GGUF" + raw(version) + raw(tensors_) + raw(keys_) + entries_ + infos_;
        if (tensors_ > 0) file.resize((file.size() + alignment_ - 1) / alignment_ * alignment_);
        return file + data_;
    }

private:
    std::string entries_, infos_, data_;
    uint64_t keys_ = 0, tensors_ = 0, alignment_ = 32;
};

}  // namespace craft::test
