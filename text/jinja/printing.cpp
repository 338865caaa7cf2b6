// str() and repr() of values, as Python writes them.
#include <charconv>
#include <cmath>
#include <cstdio>

#include "text/code_points.h"
#include "text/jinja/characters.h"
#include "text/jinja/value.h"

namespace craft::jinja {

namespace {

std::string escaped(char32_t c) {
    char buffer[16];
    const auto code = static_cast<unsigned>(c);
    std::snprintf(buffer, sizeof buffer, code <= 0xFF ? "\\x%02x" : code <= 0xFFFF ? "\\u%04x" : "\\U%08x", code);
    return buffer;
}

MarkedText quoted(const MarkedText& text) {
    const bool single = text.bytes.find('\'') == std::string::npos || text.bytes.find('"') != std::string::npos;
    const char quote = single ? '\'' : '"';
    MarkedText out(std::string(1, quote));
    for (size_t at = 0; at < text.size();) {
        const CodePoint c = code_point_at(text.bytes, at);
        const MarkedText character = slice(text, at, at + c.bytes);
        if (c.value == '\n' || c.value == '\r' || c.value == '\t')
            out.append(derived(c.value == '\n' ? "\\n" : c.value == '\r' ? "\\r" : "\\t", character));
        else if (c.value == '\\' || c.value == static_cast<char32_t>(quote))
            out.append(derived("\\" + character.bytes, character));
        else if (is_printable(c.value))
            out.append(character);
        else
            out.append(derived(escaped(c.value), character));
        at += c.bytes;
    }
    out.append(std::string_view(&quote, 1));
    return out;
}

MarkedText list_repr(const List& list) {
    using Kind = ListKind;
    if (list.kind == Kind::iterator || list.kind == Kind::range)
        throw Failure("printing an iterator is not supported (the filter `list` makes a list of it)");
    const bool tuple_like = list.kind == Kind::tuple;
    MarkedText out;
    if (list.kind == Kind::keys) out.append("dict_keys(");
    if (list.kind == Kind::values) out.append("dict_values(");
    if (list.kind == Kind::items) out.append("dict_items(");
    out.append(tuple_like ? "(" : "[");
    for (size_t i = 0; i < list.items.size(); ++i) {
        if (i > 0) out.append(", ");
        out.append(to_repr(list.items[i]));
    }
    if (tuple_like && list.items.size() == 1) out.append(",");
    out.append(tuple_like ? ")" : "]");
    if (list.kind == Kind::keys || list.kind == Kind::values || list.kind == Kind::items) out.append(")");
    return out;
}

MarkedText map_repr(const Map& map) {
    MarkedText out("{");
    bool first = true;
    for (const auto& [key, value] : map.entries) {
        if (!first) out.append(", ");
        first = false;
        out.append(to_repr(key));
        out.append(": ");
        out.append(to_repr(value));
    }
    out.append("}");
    return out;
}

}  // namespace

// The shortest digits that read back as the same number; an exponent below 1e-4 and from 1e16 on.
std::string float_repr(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    char buffer[40];
    const auto scientific = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
    std::string text(buffer, scientific.ptr);
    const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
    if (exponent < -4 || exponent >= 16) return text;  // to_chars and Python both write at least two digits: 1e-05
    const auto fixed = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
    text.assign(buffer, fixed.ptr);
    return text.find('.') == std::string::npos ? text + ".0" : text;
}

MarkedText to_repr(const Value& value) {
    if (const MarkedText* text = value.text()) {
        if (text->safe) throw Failure("the representation of a `safe` string is not supported");
        return quoted(*text);
    }
    if (value.is_undefined()) return MarkedText("Undefined");
    return to_text(value);
}

MarkedText to_text(const Value& value) {
    if (const MarkedText* text = value.text()) return *text;
    if (value.is_undefined()) return {};
    if (value.is_none()) return MarkedText("None");
    if (const auto* truth_value = value.as<bool>()) return MarkedText(*truth_value ? "True" : "False");
    if (const auto* whole = value.as<int64_t>()) return MarkedText(std::to_string(*whole));
    if (const auto* real = value.as<double>()) return MarkedText(float_repr(*real));
    if (const List* list = value.list()) return list_repr(*list);
    if (const Map* map = value.map()) return map_repr(*map);
    throw Failure("printing a " + type_name(value) + " is not supported");
}

}  // namespace craft::jinja
