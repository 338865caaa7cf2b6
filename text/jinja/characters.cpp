#include "text/jinja/characters.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>

#include <algorithm>

#include "core/error.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace craft::jinja {

size_t next_character(std::string_view text, size_t at) {
    return at + code_point_at(text, at).bytes;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

size_t count_characters(std::string_view text) {
    return count_code_points(text);
}

size_t byte_of_character(std::string_view text, size_t index) {
    size_t at = 0;
    for (; index > 0 && at < text.size(); --index) at = next_character(text, at);
    return at;
}

bool is_space_text(std::string_view text) {
    for (size_t at = 0; at < text.size(); at = next_character(text, at))
        if (!is_space(code_point_at(text, at).value)) return false;
    return !text.empty();
}

std::string uppercase(std::string_view text) {
    std::string out;
    UErrorCode status = U_ZERO_ERROR;
    icu::StringByteSink<std::string> sink(&out);
    icu::CaseMap::utf8ToUpper("", 0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, nullptr,
                              status);
    if (U_FAILURE(status)) throw Error("upper", "ICU's case mapping", u_errorName(status));
    return out;
}

std::string capitalize(std::string_view text) {
    if (text.empty()) return "";
    const size_t first = next_character(text, 0);
    const std::string low = lowercase(text);  // as a whole: a final sigma depends on what comes before it
    return uppercase_first(text.substr(0, first)) + low.substr(lowercase(text.substr(0, first)).size());
}

std::string titlecase(std::string_view text) {
    std::string out;
    bool inside = false;  // after a character with case
    for (size_t at = 0; at < text.size();) {
        const CodePoint c = code_point_at(text, at);
        const std::string_view character = text.substr(at, c.bytes);
        out += inside ? lowercase(character) : uppercase_first(character);
        inside = u_hasBinaryProperty(static_cast<UChar32>(c.value), UCHAR_CASED) != 0;
        at += c.bytes;
    }
    return out;
}

bool is_printable(char32_t c) {
    if (c < 0x80) return c >= 0x20 && c < 0x7F;
    constexpr uint32_t kHidden = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK | U_GC_CO_MASK | U_GC_CN_MASK | U_GC_ZL_MASK |
                                 U_GC_ZP_MASK | U_GC_ZS_MASK;
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & kHidden) == 0;
}

std::pair<size_t, size_t> stripped(std::string_view text, Strip sides, const std::string* chars) {
    const auto goes = [&](size_t at, size_t bytes) {
        if (chars == nullptr) return is_space(code_point_at(text, at).value);
        return chars->find(text.substr(at, bytes)) != std::string::npos;  // whole UTF-8 characters match only whole ones
    };
    size_t begin = 0, end = text.size();
    while (sides != Strip::right && begin < end) {
        const size_t bytes = code_point_at(text, begin).bytes;
        if (!goes(begin, bytes)) break;
        begin += bytes;
    }
    while (sides != Strip::left && end > begin) {
        const size_t bytes = code_point_before(text, end).bytes;
        if (!goes(end - bytes, bytes)) break;
        end -= bytes;
    }
    return {begin, end};
}

}  // namespace craft::jinja
