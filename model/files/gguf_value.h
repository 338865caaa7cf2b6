// A value of a GGUF file's metadata. Inside model/files only, but for GgufFile::metadata().
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace craft {

// It lies in the mapped file: valid as long as its GgufFile.
struct GgufValue {
    // As the format numbers them.
    enum class Type : uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, array, u64, i64, f64 };
    Type type = Type::u8;  // of a list: that of its elements
    bool is_list = false;
    uint64_t count = 1;      // elements
    std::string_view bytes;  // of numbers; of texts each one's length (8 bytes) and bytes
};

// Bytes of a number; 0 for texts and lists.
uint64_t size_of(GgufValue::Type type);
// The number that lies at the beginning of `bytes`; nothing if the type is no integer's, or it is beyond int64.
std::optional<int64_t> integer_at(GgufValue::Type type, std::string_view bytes);
// Of one number that is no list.
std::optional<int64_t> integer_of(const GgufValue& value);
// The value as a message shows it: a number, a text or "12 texts".
std::string shown(const GgufValue& value);
// The same of a name or text, as far as a line has room for it.
std::string in_quotes(std::string_view text);

template <class Number>
Number number_at(std::string_view bytes) {
    Number number;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

}  // namespace craft
