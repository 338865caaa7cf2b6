#include "systems/recorded/canonical_json.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "core/utf8.h"

namespace craft {

namespace {

void append_escape(std::string& out, unsigned code) {
    std::array<char, 8> escape{};
    std::snprintf(escape.data(), escape.size(), "\\u%04x", code);
    out += escape.data();
}

// Of valid UTF-8.
void append_escaped(std::string& out, std::string_view text) {
    for (const char byte : text) {
        switch (byte) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;
            default:
                if (static_cast<unsigned char>(byte) < 0x20) {
                    append_escape(out, static_cast<unsigned char>(byte));
                } else {
                    out += byte;
                }
        }
    }
}

void append_string(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const size_t bad = std::min(invalid_utf8_at(text), text.size());
        append_escaped(out, text.substr(0, bad));
        text.remove_prefix(bad);
        if (text.empty()) break;
        append_escape(out, 0xdc00U + static_cast<unsigned char>(text.front()));
        text.remove_prefix(1);
    }
    out += '"';
}

void append_value(std::string& out, const Json& value);

void append_object(std::string& out, const Json& object) {
    using Member = std::pair<const std::string*, const Json*>;
    std::vector<Member> members;
    members.reserve(object.size());
    for (const auto& [key, value] : object.items()) members.emplace_back(&key, &value);
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return *a.first < *b.first; });
    char before = '{';
    for (const auto& [key, value] : members) {
        out += before;
        before = ',';
        append_string(out, *key);
        out += ':';
        append_value(out, *value);
    }
    out += members.empty() ? "{}" : "}";
}

void append_array(std::string& out, const Json& array) {
    char before = '[';
    for (const Json& value : array) {
        out += before;
        before = ',';
        append_value(out, value);
    }
    out += array.empty() ? "[]" : "]";
}

void append_value(std::string& out, const Json& value) {
    if (value.is_object()) {
        append_object(out, value);
    } else if (value.is_array()) {
        append_array(out, value);
    } else if (value.is_string()) {
        append_string(out, value.get_ref<const std::string&>());
    } else {
        out += value.dump();
    }
}

}  // namespace

std::string canonical_json(const Json& value) {
    std::string out;
    append_value(out, value);
    return out;
}

std::string canonical_string(std::string_view text) {
    std::string out;
    append_string(out, text);
    return out;
}

}  // namespace craft
