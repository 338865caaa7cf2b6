#include "text/utf8.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>

#include <algorithm>

#include "core/ascii.h"
#include "core/error.h"
#include "text/code_points.h"

namespace craft {

namespace {

// ICU counts in int32_t; longer texts are not what this program reads.
constexpr size_t kMaxBytes = size_t{1} << 30;

void append_lowercase(std::string& out, std::string_view well_formed) {
    if (well_formed.empty()) return;
    if (well_formed.size() > kMaxBytes) {
        throw Error("lowercase", "at most " + std::to_string(kMaxBytes) + " bytes", std::to_string(well_formed.size()));
    }
    UErrorCode status = U_ZERO_ERROR;
    icu::StringByteSink<std::string> sink(&out);
    icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(well_formed.data(), static_cast<int32_t>(well_formed.size())), sink,
                              nullptr, status);
    if (U_FAILURE(status)) throw Error("lowercase", "ICU's case mapping", u_errorName(status));
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

std::string lowercase(std::string_view text) {
    if (is_ascii(text)) return ascii_lower(text);
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const size_t bad = std::min(invalid_utf8_at(text), text.size());
        append_lowercase(out, text.substr(0, bad));
        text.remove_prefix(bad);
        if (!text.empty()) {
            out.push_back(text.front());
            text.remove_prefix(1);
        }
    }
    return out;
}

std::string uppercase_first(std::string_view text) {
    if (text.empty()) return "";
    const CodePoint first = code_point_at(text, 0);
    std::string out;
    append_utf8(out, static_cast<char32_t>(u_totitle(static_cast<UChar32>(first.value))));
    out.append(text.substr(first.bytes));
    return out;
}

std::string_view trim_view(std::string_view text) {
    while (!text.empty()) {
        const CodePoint first = code_point_at(text, 0);
        if (!is_space(first.value)) break;
        text.remove_prefix(first.bytes);
    }
    while (!text.empty()) {
        const CodePoint last = code_point_before(text, text.size());
        if (!is_space(last.value)) break;
        text.remove_suffix(last.bytes);
    }
    return text;
}

std::string trim(std::string_view text) {
    return std::string(trim_view(text));
}

size_t count_code_points(std::string_view text) {
    size_t count = 0;
    for (size_t i = 0; i < text.size(); ++count) i += code_point_at(text, i).bytes;
    return count;
}

}  // namespace craft
