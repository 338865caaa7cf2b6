// Python's str methods.
#include <algorithm>
#include <functional>
#include <map>

#include "text/code_points.h"
#include "text/jinja/characters.h"
#include "text/jinja/format.h"
#include "text/jinja/methods.h"
#include "text/utf8.h"

namespace craft::jinja {

namespace {

const MarkedText& text_argument(const Arguments& given, size_t index, const std::string& method) {
    const Value& value = given.required(index);
    require_defined(value);
    if (value.text() == nullptr) throw Failure("str." + method + " needs a string, got " + type_name(value));
    return *value.text();
}

Value strip(const MarkedText& text, const std::string& name, const Call& call) {
    const Arguments given(call, name, {"chars"});
    const bool all = given.get(0) == nullptr || given.get(0)->is_none();
    const std::string chars = all ? "" : text_argument(given, 0, name).bytes;
    const Strip sides = name == "strip" ? Strip::both : name == "lstrip" ? Strip::left : Strip::right;
    const auto [begin, end] = stripped(text.bytes, sides, all ? nullptr : &chars);
    return make_text(slice(text, begin, end));
}

// At white space: parts between runs of it.
void split_blank(const MarkedText& text, int64_t most, std::vector<Value>& parts) {
    const auto spaces_end = [&](size_t at) {
        while (at < text.size() && is_space(code_point_at(text.bytes, at).value)) at = next_character(text.bytes, at);
        return at;
    };
    for (size_t at = spaces_end(0); at < text.size();) {
        if (most >= 0 && static_cast<int64_t>(parts.size()) >= most) {
            parts.push_back(make_text(slice(text, at, stripped(text.bytes, Strip::right).second)));
            return;
        }
        size_t end = at;
        while (end < text.size() && !is_space(code_point_at(text.bytes, end).value)) end = next_character(text.bytes, end);
        parts.push_back(make_text(slice(text, at, end)));
        at = spaces_end(end);
    }
}

void split_left(const MarkedText& text, const std::string& by, int64_t most, std::vector<Value>& parts) {
    size_t begin = 0;
    for (size_t at = text.bytes.find(by); at != std::string::npos && most != 0; at = text.bytes.find(by, begin), --most) {
        parts.push_back(make_text(slice(text, begin, at)));
        begin = at + by.size();
    }
    parts.push_back(make_text(slice(text, begin, text.size())));
}

void split_right(const MarkedText& text, const std::string& by, int64_t most, std::vector<Value>& parts) {
    size_t end = text.size();
    for (; most != 0 && end >= by.size(); --most) {
        const size_t at = text.bytes.rfind(by, end - by.size());
        if (at == std::string::npos) break;
        parts.push_back(make_text(slice(text, at + by.size(), end)));
        end = at;
    }
    parts.push_back(make_text(slice(text, 0, end)));
    std::reverse(parts.begin(), parts.end());
}

Value split(const MarkedText& text, const std::string& name, const Call& call, Budget& budget) {
    const Arguments given(call, name, {"sep", "maxsplit"});
    const int64_t most = given.whole(1, -1);
    std::vector<Value> parts;
    if (given.get(0) == nullptr || given.get(0)->is_none()) {
        if (name == "rsplit" && most >= 0) throw Failure("str.rsplit at white space with a limit is not supported");
        split_blank(text, most, parts);
    } else {
        const std::string by = text_argument(given, 0, name).bytes;
        if (by.empty()) throw Failure("empty separator");
        name == "split" ? split_left(text, by, most, parts) : split_right(text, by, most, parts);
    }
    budget.charge_items(parts.size());
    budget.charge(text.size());
    return make_list(std::move(parts));
}

Value partition(const MarkedText& text, const std::string& name, const Call& call) {
    const Arguments given(call, name, {"sep"});
    const std::string by = text_argument(given, 0, name).bytes;
    if (by.empty()) throw Failure("empty separator");
    const bool left = name == "partition";
    const size_t at = left ? text.bytes.find(by) : text.bytes.rfind(by);
    if (at == std::string::npos) {
        const Value whole = make_text(text), none = make_text("");
        return make_list(left ? std::vector<Value>{whole, none, none} : std::vector<Value>{none, none, whole},
                         ListKind::tuple);
    }
    return make_list({make_text(slice(text, 0, at)), make_text(slice(text, at, at + by.size())),
                      make_text(slice(text, at + by.size(), text.size()))},
                     ListKind::tuple);
}

Value starts_or_ends(const MarkedText& text, const std::string& name, const Call& call) {
    const Arguments given(call, name, {"prefix"});
    const Value& with = given.required(0);
    const List* several = with.list();
    const bool tuple = several != nullptr && several->kind == ListKind::tuple;
    for (const Value& each : tuple ? several->items : std::vector<Value>{with}) {
        require_defined(each);
        if (each.text() == nullptr)
            throw Failure("str." + name + " needs a string or a tuple of them, got " + type_name(each));
        const std::string& part = each.text()->bytes;
        if (name == "startswith" ? text.bytes.starts_with(part) : text.bytes.ends_with(part)) return true;
    }
    return false;
}

Value find(const MarkedText& text, const std::string& name, const Call& call) {
    const Arguments given(call, name, {"sub"});
    const std::string& part = text_argument(given, 0, name).bytes;
    const bool right = name == "rfind" || name == "rindex";
    const size_t at = right ? text.bytes.rfind(part) : text.bytes.find(part);
    if (at != std::string::npos) return static_cast<int64_t>(count_characters(std::string_view(text.bytes).substr(0, at)));
    if (name == "index" || name == "rindex") throw Failure("substring not found");
    return int64_t{-1};
}

Value count(const MarkedText& text, const std::string& name, const Call& call) {
    const Arguments given(call, name, {"sub"});
    const std::string& part = text_argument(given, 0, name).bytes;
    if (part.empty()) return static_cast<int64_t>(count_characters(text.bytes)) + 1;
    int64_t found = 0;
    for (size_t at = text.bytes.find(part); at != std::string::npos; at = text.bytes.find(part, at + part.size())) ++found;
    return found;
}

Value without_affix(const MarkedText& text, const std::string& name, const Call& call) {
    const Arguments given(call, name, {"affix"});
    const std::string& affix = text_argument(given, 0, name).bytes;
    if (name == "removeprefix" && text.bytes.starts_with(affix)) return make_text(slice(text, affix.size(), text.size()));
    if (name == "removesuffix" && text.bytes.ends_with(affix)) return make_text(slice(text, 0, text.size() - affix.size()));
    return make_text(text);
}

Value changed_case(const MarkedText& text, const std::string& name) {
    const auto map = name == "upper"        ? uppercase
                     : name == "lower"      ? lowercase
                     : name == "capitalize" ? capitalize
                                            : titlecase;
    return make_text(derived(map(text.bytes), text));
}

// isspace, isdigit ... : true if all characters are and there is one.
Value is_all(const MarkedText& text, const std::string& name) {
    if (name == "isspace") return is_space_text(text.bytes);
    if (name == "isascii") return is_ascii(text.bytes);
    if (name == "isupper" || name == "islower") {
        const std::string other = name == "isupper" ? lowercase(text.bytes) : uppercase(text.bytes);
        const std::string same = name == "isupper" ? uppercase(text.bytes) : lowercase(text.bytes);
        return same == text.bytes && other != text.bytes;
    }
    if (!is_ascii(text.bytes)) throw Failure("str." + name + " of text that is not ASCII is not supported");
    const auto holds = [&](char c) {
        const bool digit = c >= '0' && c <= '9', letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return name == "isalpha" ? letter : name == "isalnum" ? letter || digit : digit;
    };
    return !text.bytes.empty() && std::all_of(text.bytes.begin(), text.bytes.end(), holds);
}

Value filled(const MarkedText& text, const std::string& name, const Call& call, Budget& budget) {
    const Arguments given(call, name, {"width", "fillchar"});
    given.required(0);
    const MarkedText blank(name == "zfill" ? "0" : " ");
    const MarkedText& fill = given.get(1) != nullptr ? text_argument(given, 1, name) : blank;
    const int64_t missing = given.whole(0, 0) - static_cast<int64_t>(count_characters(text.bytes));
    if (missing <= 0) return make_text(text);
    if (count_characters(fill.bytes) != 1) throw Failure("the fill character must be one character long");
    budget.charge(static_cast<size_t>(missing) > (SIZE_MAX >> 8) ? SIZE_MAX : static_cast<size_t>(missing) * fill.size());
    const bool sign = name == "zfill" && !text.bytes.empty() && (text.bytes[0] == '-' || text.bytes[0] == '+');
    MarkedText out;
    if (sign) out.append_slice(text, 0, 1);
    if (name == "ljust") out.append(text);
    for (int64_t i = 0; i < missing; ++i) out.append(fill);
    if (name != "ljust") out.append_slice(text, sign ? 1 : 0, text.size());
    return make_text(std::move(out));
}

using Method = std::function<Value(const MarkedText&, const std::string&, const Call&, Budget&)>;

const std::map<std::string, Method, std::less<>>& methods() {
    const auto plain = [](auto method) {
        return [method](const MarkedText& text, const std::string& name, const Call& call, Budget&) {
            return method(text, name, call);
        };
    };
    const auto without_arguments = [](auto method) {
        return [method](const MarkedText& text, const std::string& name, const Call& call, Budget& budget) {
            const Arguments none(call, name, {});
            budget.charge(text.size() * 3);
            return method(text, name);
        };
    };
    static const std::map<std::string, Method, std::less<>> all = [&] {
        std::map<std::string, Method, std::less<>> table;
        for (const char* name : {"strip", "lstrip", "rstrip"}) table[name] = plain(strip);
        for (const char* name : {"split", "rsplit"}) table[name] = split;
        for (const char* name : {"partition", "rpartition"}) table[name] = plain(partition);
        for (const char* name : {"startswith", "endswith"}) table[name] = plain(starts_or_ends);
        for (const char* name : {"find", "rfind", "index", "rindex"}) table[name] = plain(find);
        for (const char* name : {"removeprefix", "removesuffix"}) table[name] = plain(without_affix);
        for (const char* name : {"upper", "lower", "capitalize", "title"}) table[name] = without_arguments(changed_case);
        for (const char* name :
             {"isspace", "isascii", "isupper", "islower", "isalpha", "isalnum", "isdigit", "isdecimal", "isnumeric"})
            table[name] = without_arguments(is_all);
        for (const char* name : {"zfill", "ljust", "rjust"}) table[name] = filled;
        table["count"] = plain(count);
        table["replace"] = [](const MarkedText& text, const std::string& name, const Call& call, Budget& budget) {
            const Arguments given(call, name, {"old", "new", "count"});
            return make_text(replaced(text, text_argument(given, 0, name).bytes, text_argument(given, 1, name),
                                      given.whole(2, -1), budget));
        };
        table["join"] = [](const MarkedText& text, const std::string& name, const Call& call, Budget& budget) {
            const Arguments given(call, name, {"iterable"});
            const std::vector<Value> items = iterate(given.required(0));
            for (const Value& item : items)
                if (item.text() == nullptr) throw Failure("str.join needs strings, got " + type_name(item));
            return make_text(joined(text, items, budget));
        };
        table["splitlines"] = [](const MarkedText& text, const std::string& name, const Call& call, Budget& budget) {
            const Arguments given(call, name, {"keepends"});
            std::vector<Value> lines;
            for (MarkedText& line : split_lines(text, given.flag(0, false))) lines.push_back(make_text(std::move(line)));
            budget.charge_items(lines.size());
            return make_list(std::move(lines));
        };
        table["format"] = [](const MarkedText& text, const std::string&, const Call& call, Budget& budget) {
            return make_text(brace_format(text, call, budget));
        };
        return table;
    }();
    return all;
}

}  // namespace

MarkedText replaced(const MarkedText& text, const std::string& old, const MarkedText& by, int64_t count, Budget& budget) {
    MarkedText out;
    size_t begin = 0;
    const auto copy_to = [&](size_t end) {
        budget.charge(end - begin);
        out.append_slice(text, begin, end);
        begin = end;
    };
    const auto insert = [&] {
        budget.step();
        budget.charge(by.size());
        out.append(by);
    };
    if (old.empty()) {  // in front of every character and at the end
        for (; count != 0; --count) {
            insert();
            if (begin == text.size()) return out;
            copy_to(next_character(text.bytes, begin));
        }
    } else {
        for (size_t at = text.bytes.find(old); at != std::string::npos && count != 0;
             at = text.bytes.find(old, begin), --count) {
            copy_to(at);
            insert();
            begin = at + old.size();
        }
    }
    copy_to(text.size());
    return out;
}

MarkedText joined(const MarkedText& separator, const std::vector<Value>& items, Budget& budget) {
    MarkedText out;
    for (size_t i = 0; i < items.size(); ++i) {
        const MarkedText part = to_text(items[i]);
        budget.charge(part.size() + separator.size());
        if (i > 0) out.append(separator);
        out.append(part);
    }
    return out;
}

std::vector<MarkedText> split_lines(const MarkedText& text, bool keep_ends) {
    std::vector<MarkedText> lines;
    size_t begin = 0;
    for (size_t at = 0; at < text.size();) {
        const char32_t c = code_point_at(text.bytes, at).value;
        size_t next = next_character(text.bytes, at);
        const bool ends = (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
        if (ends) {
            if (c == '\r' && next < text.size() && text.bytes[next] == '\n') ++next;
            lines.push_back(slice(text, begin, keep_ends ? next : at));
            begin = next;
        }
        at = next;
    }
    if (begin < text.size()) lines.push_back(slice(text, begin, text.size()));
    return lines;
}

Value call_text_method(const MarkedText& text, const std::string& name, const Call& call, Budget& budget) {
    const auto found = methods().find(name);
    if (found == methods().end()) throw Failure("the method str." + name + " is not supported");
    return found->second(text, name, call, budget);
}

}  // namespace craft::jinja
