#include "text/quoted_lines.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "text/code_points.h"

namespace craft {

namespace {

constexpr size_t kLongestMarker = 60;  // bytes between a marker's brackets

// In square brackets, beside names with an underscore ("[TOOL_CALLS]").
constexpr std::array<std::string_view, 5> kTurns = {"INST", "SYS", "SYSTEM", "USER", "ASSISTANT"};

bool breaks_lines(char32_t c) {
    return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

// Signs that say nothing and change how what is around them is seen: of control, of direction, and tags.
bool is_control(char32_t c) {
    return (c < 0x20 && c != '\t') || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || (c >= 0xE0000 && c <= 0xE007F);
}

// "<|...", "</...", "<think>", "<start_of_turn>", "[INST]", "[/INST]", "<<SYS>>"; not "a < b", "[1]" or "[see above]".
bool begins_marker(std::string_view rest) {
    const char open = rest[0];
    if (open == '<' && (rest.starts_with("<|") || rest.starts_with("<\uff5c") || rest.starts_with("<<"))) return true;
    const size_t close = rest.substr(0, kLongestMarker).find(open == '<' ? '>' : ']');
    if (close == std::string_view::npos) return false;
    std::string_view inner = rest.substr(1, close - 1);
    const bool is_end = inner.starts_with("/");
    if (is_end) inner.remove_prefix(1);
    const auto is_name = [](std::string_view name) {
        return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
    };
    if (open == '<') return is_name(inner.substr(0, inner.find(' ')));
    const bool is_turn = std::find(kTurns.begin(), kTurns.end(), inner) != kTurns.end();
    return is_turn || (is_name(inner) && inner.find('_') != std::string_view::npos);
}

std::string code_point_name(char32_t c) {
    char name[16];
    std::snprintf(name, sizeof name, "[U+%04X]", static_cast<unsigned>(c));
    return name;
}

}  // namespace

std::string QuotedLines::text() const {
    std::string out;
    for (const std::string& line : lines) out.append(out.empty() ? ">" : "\n>").append(line.empty() ? "" : " ").append(line);
    return out;
}

bool has_signs_of_control(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const CodePoint one = code_point_at(text, at);
        if (breaks_lines(one.value) || is_control(one.value)) return true;
        at += one.bytes;
    }
    return false;
}

QuotedLines quoted_lines(std::string_view text) {
    QuotedLines quoted;
    std::string line;
    for (size_t at = 0; at < text.size();) {
        const CodePoint one = code_point_at(text, at);
        const std::string_view rest = text.substr(at);
        at += rest.starts_with("\r\n") ? 2 : one.bytes;
        if (breaks_lines(one.value)) {
            quoted.lines.push_back(std::exchange(line, ""));
        } else if (is_control(one.value)) {
            line += code_point_name(one.value);
            quoted.noted.insert("signs of control");
        } else {
            append_utf8(line, one.value);
            if ((one.value != '<' && one.value != '[') || !begins_marker(rest)) continue;
            line += ' ';
            quoted.noted.insert("text like a marker");
        }
    }
    quoted.lines.push_back(std::move(line));
    return quoted;
}

}  // namespace craft
