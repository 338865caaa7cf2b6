// The filter tojson, as transformers defines it: Python's json.dumps.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "text/code_points.h"
#include "text/jinja/format.h"

namespace craft::jinja {

namespace {

std::string escape_of(char32_t c, bool ascii) {
    static constexpr std::string_view kPlain = "\"\\\n\r\t\f\b", kLetters = "\"\\nrtfb";
    if (c < 0x80)
        if (const size_t known = kPlain.find(static_cast<char>(c)); known != kPlain.npos)
            return std::string("\\") + kLetters[known];
    if (c >= 0x20 && (c < 0x7F || !ascii)) return "";
    char buffer[16];
    if (c > 0xFFFF) {
        const auto high = static_cast<unsigned>(0xD800 + ((c - 0x10000) >> 10)),
                   low = static_cast<unsigned>(0xDC00 + ((c - 0x10000) & 0x3FF));
        std::snprintf(buffer, sizeof buffer, "\\u%04x\\u%04x", high, low);
    } else {
        std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(c));
    }
    return buffer;
}

class JsonWriter {
public:
    JsonWriter(const JsonStyle& style, Budget& budget) : style_(style), budget_(budget) {}

    void write(const Value& value, size_t level) {
        budget_.step();
        if (const MarkedText* text = value.text()) return string(*text);
        if (value.is_none()) return out.append("null");
        if (const auto* truth_value = value.as<bool>()) return out.append(*truth_value ? "true" : "false");
        if (value.as<int64_t>() != nullptr) return out.append(to_text(value));
        if (const auto* real = value.as<double>()) return out.append(number(*real));
        if (const List* list = value.list(); list != nullptr && list->kind <= ListKind::tuple) return array(*list, level);
        if (const Map* map = value.map()) return object(*map, level);
        if (value.is_undefined()) throw Failure("Object of type Undefined is not JSON serializable");
        throw Failure("Object of type " + type_name(value) + " is not JSON serializable");
    }

    MarkedText out;

private:
    static std::string number(double value) {
        if (std::isnan(value)) return "NaN";
        if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
        return float_repr(value);
    }

    void string(const MarkedText& text) {
        budget_.charge(text.size() + 2);
        out.append("\"");
        size_t plain = 0;
        for (size_t at = 0; at < text.size();) {
            const CodePoint c = code_point_at(text.bytes, at);
            const std::string escape = escape_of(c.value, style_.ascii);
            if (!escape.empty()) {
                out.append_slice(text, plain, at);
                out.append(derived(escape, slice(text, at, at + c.bytes)));
                plain = at + c.bytes;
            }
            at += c.bytes;
        }
        out.append_slice(text, plain, text.size());
        out.append("\"");
    }

    void new_line(size_t level) {
        if (!style_.indented) return;
        budget_.charge(1 + level * style_.indent.size());
        out.append("\n");
        for (size_t i = 0; i < level; ++i) out.append(style_.indent);
    }

    void array(const List& list, size_t level) {
        if (list.items.empty()) return out.append("[]");
        out.append("[");
        for (size_t i = 0; i < list.items.size(); ++i) {
            if (i > 0) out.append(style_.item_separator);
            new_line(level + 1);
            write(list.items[i], level + 1);
        }
        new_line(level);
        out.append("]");
    }

    void key(const Value& value) {
        if (value.text() != nullptr) return string(*value.text());
        if (const auto* real = value.as<double>()) return out.append("\"" + number(*real) + "\"");
        if (value.as<int64_t>() == nullptr && value.as<bool>() == nullptr && !value.is_none())
            throw Failure("keys of JSON must be str, int, float, bool or None, not " + type_name(value));
        out.append("\"");
        write(value, 0);
        out.append("\"");
    }

    void object(const Map& map, size_t level) {
        if (map.entries.empty()) return out.append("{}");
        std::vector<const std::pair<Value, Value>*> entries;
        for (const auto& entry : map.entries) entries.push_back(&entry);
        if (style_.sort_keys)
            std::stable_sort(entries.begin(), entries.end(),
                             [](const auto* a, const auto* b) { return compare(a->first, b->first) < 0; });
        out.append("{");
        bool first = true;
        for (const auto* entry : entries) {
            if (!first) out.append(style_.item_separator);
            first = false;
            new_line(level + 1);
            key(entry->first);
            out.append(style_.key_separator);
            write(entry->second, level + 1);
        }
        new_line(level);
        out.append("}");
    }

    const JsonStyle& style_;
    Budget& budget_;
};

}  // namespace

JsonStyle json_style(const Call& call) {
    const Arguments given(call, "tojson", {"ensure_ascii", "indent", "separators", "sort_keys"});
    JsonStyle style;
    style.ascii = given.flag(0, false);
    style.sort_keys = given.flag(3, false);
    if (const Value* indent = given.get(1); indent != nullptr && !indent->is_none()) {
        style.indented = true;
        if (indent->text() != nullptr)
            style.indent = indent->text()->bytes;
        else if (const int64_t width = given.whole(1, 0); width > 1000)
            throw Failure("tojson: an indent above 1000 is not supported");
        else
            style.indent.assign(static_cast<size_t>(std::max<int64_t>(width, 0)), ' ');
    }
    style.item_separator = style.indented ? "," : ", ";
    style.key_separator = ": ";
    if (const Value* separators = given.get(2); separators != nullptr && !separators->is_none()) {
        const std::vector<Value> two = iterate(*separators);
        if (two.size() != 2 || two[0].text() == nullptr || two[1].text() == nullptr)
            throw Failure("tojson: separators must be two strings");
        style.item_separator = two[0].text()->bytes;
        style.key_separator = two[1].text()->bytes;
    }
    return style;
}

MarkedText to_json_text(const Value& value, const JsonStyle& style, Budget& budget) {
    JsonWriter writer(style, budget);
    writer.write(value, 0);
    return std::move(writer.out);
}

}  // namespace craft::jinja
