#include "text/code_points.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace craft {

namespace {

constexpr char32_t kEscapedByte = 0xDC00;  // + the byte

}  // namespace

CodePoint code_point_at(std::string_view text, size_t at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) return {byte, 1};
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    // Four bytes are looked at, at most, so that texts of any length fit ICU's int32_t.
    const auto length = static_cast<int32_t>(text.size() - at < 4 ? text.size() - at : 4);
    int32_t used = 0;
    UChar32 value = 0;
    U8_NEXT(bytes + at, used, length, value);
    if (value < 0) return {kEscapedByte + byte, 1};
    return {static_cast<char32_t>(value), static_cast<size_t>(used)};
}

CodePoint code_point_before(std::string_view text, size_t end) {
    const auto last = static_cast<unsigned char>(text[end - 1]);
    if (last < 0x80) return {last, 1};
    for (size_t length = 2; length <= 4 && length <= end; ++length) {
        if ((static_cast<unsigned char>(text[end - length]) & 0xC0) == 0x80) continue;
        const CodePoint found = code_point_at(text.substr(0, end), end - length);
        if (found.bytes == length) return found;
        break;
    }
    return {kEscapedByte + last, 1};
}

std::u32string decode_utf8(std::string_view text) {
    std::u32string out;
    out.reserve(text.size() + 2);
    for (size_t i = 0; i < text.size();) {
        const CodePoint found = code_point_at(text, i);
        out.push_back(found.value);
        i += found.bytes;
    }
    return out;
}

void append_utf8(std::string& out, char32_t c) {
    if (c < 0x80) {
        out.push_back(static_cast<char>(c));
    } else if (c >= kEscapedByte + 0x80 && c <= kEscapedByte + 0xFF) {
        out.push_back(static_cast<char>(c - kEscapedByte));
    } else {
        uint8_t bytes[U8_MAX_LENGTH];
        int32_t length = 0;
        U8_APPEND_UNSAFE(bytes, length, c);
        out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
    }
}

bool is_word_character(char32_t c) {
    if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
}

bool is_unicode_word_character(char32_t c) {
    if (c < 0x80) return is_word_character(c);
    const auto code_point = static_cast<UChar32>(c);
    const uint32_t classes = U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK;
    return (U_GET_GC_MASK(code_point) & classes) != 0 || u_hasBinaryProperty(code_point, UCHAR_ALPHABETIC) != 0 ||
           u_hasBinaryProperty(code_point, UCHAR_JOIN_CONTROL) != 0;
}

bool is_decimal_digit(char32_t c) {
    if (c < 0x80) return c >= '0' && c <= '9';
    return u_charType(static_cast<UChar32>(c)) == U_DECIMAL_DIGIT_NUMBER;
}

bool in_number_category(char32_t c) {
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_N_MASK) != 0;
}

bool in_punctuation_category(char32_t c) {
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_P_MASK) != 0;
}

bool in_symbol_category(char32_t c) {
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_S_MASK) != 0;
}

bool is_letter(char32_t c) {
    if (c < 0x80) return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_L_MASK | U_GC_M_MASK)) != 0;
}

}  // namespace craft
