#include "model/files/gguf_value.h"

#include <array>
#include <bit>
#include <charconv>
#include <limits>

#include "core/utf8.h"

namespace craft {

static_assert(std::endian::native == std::endian::little, "numbers are taken as they lie in the file");

namespace {

using Type = GgufValue::Type;

}  // namespace

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

std::optional<int64_t> integer_at(Type type, std::string_view bytes) {
    switch (type) {
        case Type::u8:
        case Type::boolean:
            return number_at<uint8_t>(bytes);
        case Type::i8:
            return number_at<int8_t>(bytes);
        case Type::u16:
            return number_at<uint16_t>(bytes);
        case Type::i16:
            return number_at<int16_t>(bytes);
        case Type::u32:
            return number_at<uint32_t>(bytes);
        case Type::i32:
            return number_at<int32_t>(bytes);
        case Type::i64:
            return number_at<int64_t>(bytes);
        case Type::u64: {
            const auto value = number_at<uint64_t>(bytes);
            if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return static_cast<int64_t>(value);
            return std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

std::optional<int64_t> integer_of(const GgufValue& value) {
    return value.is_list ? std::nullopt : integer_at(value.type, value.bytes);
}

std::string in_quotes(std::string_view name) {
    const std::string text = shortened(name, 80);
    return invalid_utf8_at(text) == std::string::npos ? "'" + text + "'" : "bytes that are not UTF-8";
}

std::string shown(const GgufValue& value) {
    if (value.is_list) return std::to_string(value.count) + (value.type == Type::text ? " texts" : " numbers");
    if (value.type == Type::text) return in_quotes(value.bytes.substr(8));
    if (value.type == Type::boolean) return value.bytes[0] != 0 ? "true" : "false";
    if (const std::optional<int64_t> integer = integer_of(value)) return std::to_string(*integer);
    std::array<char, 64> digits{};
    const auto write = [&](auto number) {
        return std::string(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    };
    if (value.type == Type::f32) return write(number_at<float>(value.bytes));
    return value.type == Type::f64 ? write(number_at<double>(value.bytes)) : write(number_at<uint64_t>(value.bytes));
}

}  // namespace craft
