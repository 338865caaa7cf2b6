// The fields of a protobuf message, one after another. Inside model/tokenizer/ only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace craft {

struct ProtobufField {
    enum class Type { number, fixed64, bytes, fixed32 };
    uint32_t number = 0;
    Type type = Type::number;
    uint64_t value = 0;      // of numbers and fixed ones
    std::string_view bytes;  // of texts and messages

    // Both throw Error naming `where` if the field is of another type.
    uint64_t as_number(const std::string& where) const;
    float as_float(const std::string& where) const;
};

// Throws Error naming `where` if the bytes are no message (groups count as none).
void for_each_field(std::string_view bytes, const std::string& where, const std::function<void(const ProtobufField&)>& take);

}  // namespace craft
