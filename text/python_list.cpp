#include "text/python_list.h"

#include <unicode/uchar.h>

#include <string_view>

#include "text/code_points.h"

namespace craft {

namespace {

// str.isprintable() of one character.
bool is_printable(char32_t c) {
    if (c == ' ') return true;
    const uint32_t unprintable = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK | U_GC_CO_MASK | U_GC_CN_MASK | U_GC_Z_MASK;
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & unprintable) == 0;
}

void append_hex(std::string& out, char32_t c) {
    const int digits = c < 0x100 ? 2 : (c < 0x10000 ? 4 : 8);
    out += c < 0x100 ? "\\x" : (c < 0x10000 ? "\\u" : "\\U");
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[c >> shift & 0xF];
}

void append_quoted(std::string& out, const std::string& text) {
    const bool apostrophe = text.find('\'') != std::string::npos, double_quote = text.find('"') != std::string::npos;
    const char quote = apostrophe && !double_quote ? '"' : '\'';
    out += quote;
    for (const char32_t c : decode_utf8(text)) {
        if (c == static_cast<char32_t>(quote) || c == '\\') {
            out += '\\';
            out += static_cast<char>(c);
        } else if (c == '\n' || c == '\r' || c == '\t') {
            out += c == '\n' ? "\\n" : (c == '\r' ? "\\r" : "\\t");
        } else if (is_printable(c)) {
            append_utf8(out, c);
        } else {
            append_hex(out, c);
        }
    }
    out += quote;
}

}  // namespace

std::string python_list(const std::vector<std::string>& texts) {
    std::string out = "[";
    for (size_t i = 0; i < texts.size(); ++i) {
        if (i > 0) out += ", ";
        append_quoted(out, texts[i]);
    }
    return out + "]";
}

}  // namespace craft
