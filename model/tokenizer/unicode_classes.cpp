#include "model/tokenizer/unicode_classes.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "text/code_points.h"

namespace craft {

namespace {

bool has_category(char32_t c, uint32_t mask) {
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & mask) != 0;
}

bool is_as_old_as(char32_t c, int major) {
    UVersionInfo version;
    u_charAge(static_cast<UChar32>(c), version);
    return version[0] != 0 && version[0] <= major;
}

}  // namespace

bool is_white_space(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D);
    return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0;
}

bool is_word(char32_t c) {
    if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    const auto code = static_cast<UChar32>(c);
    return u_hasBinaryProperty(code, UCHAR_ALPHABETIC) || u_hasBinaryProperty(code, UCHAR_JOIN_CONTROL) ||
           has_category(c, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK);
}

bool is_number_of_any_kind(char32_t c) {
    if (c < 0x80) return c >= '0' && c <= '9';
    return has_category(c, U_GC_N_MASK);
}

bool is_wide_punctuation(char32_t c) {
    if (c < 0x80)
        return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
    if (c == 0x166D || c == 0x111C9) return true;  // changed their category since
    return has_category(c, U_GC_P_MASK) && is_as_old_as(c, 8);
}

bool is_control_or_format(char32_t c) {
    if (c < 0x80) return c < 0x20 || c == 0x7F;
    if (has_category(c, U_GC_CC_MASK | U_GC_CO_MASK)) return true;
    return has_category(c, U_GC_CF_MASK) && is_as_old_as(c, 8);
}

bool is_nonspacing_mark(char32_t c) {
    if (c < 0x300) return false;
    if (c == 0x1734) return true;  // these five changed their category since
    if (c == 0x1885 || c == 0x1886 || c == 0xA9BD || c == 0x111C9) return false;
    return has_category(c, U_GC_MN_MASK) && is_as_old_as(c, 8);
}

bool is_combining_mark(char32_t c) {
    if (c < 0x300) return false;
    if (c == 0x1CF2 || c == 0x1CF3) return true;  // these three changed their category since
    if (c == 0x111C9) return false;
    return has_category(c, U_GC_M_MASK) && is_as_old_as(c, 9);
}

bool is_cjk_ideograph(char32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
           (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

void append_lower_case(std::string& out, char32_t c) {
    if (c < 0x80) {
        out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : static_cast<char>(c));
    } else if (c == 0x130) {  // the one character whose lower case is two
        out += "i\xcc\x87";
    } else {
        append_utf8(out, static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))));
    }
}

std::string replace_invalid_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    for (size_t at = 0; at < text.size();) {
        // Four bytes are looked at, at most, so that texts of any length fit ICU's int32_t.
        const auto length = static_cast<int32_t>(text.size() - at < 4 ? text.size() - at : 4);
        int32_t used = 0;
        UChar32 c = 0;
        U8_NEXT(bytes + at, used, length, c);
        if (c < 0)
            out += "\xef\xbf\xbd";
        else
            out.append(text.substr(at, static_cast<size_t>(used)));
        at += static_cast<size_t>(used);
    }
    return out;
}

}  // namespace craft
