// Attributes, subscripts and slices.
#include <algorithm>
#include <array>

#include "text/jinja/callable.h"
#include "text/jinja/characters.h"
#include "text/jinja/operators.h"

namespace craft::jinja {

namespace {

template <size_t N>
bool among(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// All that Python's types have.
constexpr std::array<std::string_view, 47> kTextMethods = {
    "capitalize",   "casefold",   "center",    "count",       "encode",    "endswith",     "expandtabs",   "find",
    "format",       "format_map", "index",     "isalnum",     "isalpha",   "isascii",      "isdecimal",    "isdigit",
    "isidentifier", "islower",    "isnumeric", "isprintable", "isspace",   "istitle",      "isupper",      "join",
    "ljust",        "lower",      "lstrip",    "maketrans",   "partition", "removeprefix", "removesuffix", "replace",
    "rfind",        "rindex",     "rjust",     "rpartition",  "rsplit",    "rstrip",       "split",        "splitlines",
    "startswith",   "strip",      "swapcase",  "title",       "translate", "upper",        "zfill"};
constexpr std::array<std::string_view, 11> kMapMethods = {"clear", "copy",    "fromkeys",   "get",    "items", "keys",
                                                          "pop",   "popitem", "setdefault", "update", "values"};
constexpr std::array<std::string_view, 11> kListMethods = {"append", "clear", "copy",   "count",   "extend", "index",
                                                           "insert", "pop",   "remove", "reverse", "sort"};
constexpr std::array<std::string_view, 12> kNumberMethods = {
    "as_integer_ratio", "bit_count", "bit_length", "conjugate",  "denominator", "from_bytes",
    "fromhex",          "hex",       "imag",       "is_integer", "numerator",   "real"};
constexpr std::array<std::string_view, 2> kTupleMethods = {"count", "index"};

Value undefined_of(const Value& of, const std::string& name) {
    return Undefined{"'" + type_name(of) + "' object has no attribute '" + name + "'"};
}

Value bound_method(const Value& value, const std::string& name) {
    auto method = std::make_shared<Callable>();
    method->name = name;
    method->receiver = value;
    return std::shared_ptr<const Callable>(std::move(method));
}

Value neighbour(const Loop& loop, bool there, size_t index, const char* which) {
    if (!there) return Undefined{std::string("there is no ") + which + " item"};
    return loop.items[index];
}

Value loop_attribute(const Value& value, const Loop& loop, const std::string& name) {
    const auto index = static_cast<int64_t>(loop.index), count = static_cast<int64_t>(loop.items.size());
    if (name == "index") return index + 1;
    if (name == "index0") return index;
    if (name == "revindex") return count - index;
    if (name == "revindex0") return count - index - 1;
    if (name == "first") return index == 0;
    if (name == "last") return index + 1 == count;
    if (name == "length") return count;
    if (name == "depth") return int64_t{1};
    if (name == "depth0") return int64_t{0};
    if (name == "previtem") return neighbour(loop, index > 0, loop.index - 1, "previous");
    if (name == "nextitem") return neighbour(loop, index + 1 < count, loop.index + 1, "next");
    if (name == "cycle" || name == "changed") return bound_method(value, name);
    return undefined_of(value, name);
}

std::optional<int64_t> position(const Value& key, size_t size) {
    const auto* whole = key.as<int64_t>();
    const auto* truth_value = key.as<bool>();
    if (whole == nullptr && truth_value == nullptr) return std::nullopt;
    int64_t index = whole != nullptr ? *whole : *truth_value ? 1 : 0;
    if (index < 0) index += static_cast<int64_t>(size);
    if (index < 0 || index >= static_cast<int64_t>(size)) return std::nullopt;
    return index;
}

std::optional<Value> subscripted(const Value& value, const Value& key) {
    if (const Map* map = value.map()) {
        if (key.map() != nullptr || (key.list() != nullptr && key.list()->kind == ListKind::list)) return std::nullopt;
        const Value* found = map->find(key);
        return found == nullptr ? std::nullopt : std::optional<Value>(*found);
    }
    if (const List* list = value.list(); list != nullptr && (list->kind == ListKind::list || list->kind == ListKind::tuple ||
                                                             list->kind == ListKind::range)) {
        const auto index = position(key, list->items.size());
        return index ? std::optional<Value>(list->items[static_cast<size_t>(*index)]) : std::nullopt;
    }
    if (const MarkedText* text = value.text()) {
        const auto index = position(key, count_characters(text->bytes));
        if (!index) return std::nullopt;
        const size_t begin = byte_of_character(text->bytes, static_cast<size_t>(*index));
        return make_text(slice(*text, begin, next_character(text->bytes, begin)));
    }
    return std::nullopt;
}

// A bound of a slice, within [low, high]; `otherwise` if it is none.
int64_t bound(const Value& value, int64_t size, int64_t low, int64_t high, int64_t otherwise) {
    if (value.is_none()) return otherwise;
    require_defined(value);
    int64_t index = 0;
    if (const auto* whole = value.as<int64_t>())
        index = *whole;
    else if (const auto* truth_value = value.as<bool>())
        index = *truth_value ? 1 : 0;
    else
        throw Failure("slice indices must be whole numbers, got " + type_name(value));
    if (index < 0) index += size;
    return std::clamp(index, low, high);
}

}  // namespace

bool has_method(const Value& value, std::string_view name) {
    if (value.text() != nullptr) return among(kTextMethods, name);
    if (value.map() != nullptr) return among(kMapMethods, name);
    if (const List* list = value.list()) {
        if (list->kind == ListKind::list) return among(kListMethods, name);
        return (list->kind == ListKind::tuple || list->kind == ListKind::range) && among(kTupleMethods, name);
    }
    if (value.as<bool>() != nullptr || value.as<int64_t>() != nullptr || value.as<double>() != nullptr)
        return among(kNumberMethods, name);
    return false;
}

Value attribute(const Value& value, const std::string& name) {
    require_defined(value);
    if (const auto* space = value.as<std::shared_ptr<Namespace>>()) {
        for (const auto& entry : (*space)->entries)
            if (entry.first == name) return entry.second;
        return undefined_of(value, name);
    }
    if (const auto* loop = value.as<std::shared_ptr<Loop>>()) return loop_attribute(value, **loop, name);
    if (has_method(value, name)) return bound_method(value, name);
    if (const Map* map = value.map())
        if (const Value* found = map->find(std::string_view(name))) return *found;
    if (value.as<std::shared_ptr<const Callable>>() != nullptr)
        throw Failure("attributes of a function are not supported, got '" + name + "'");
    return undefined_of(value, name);
}

Value item(const Value& value, const Value& key) {
    require_defined(value);
    if (auto found = subscripted(value, key)) return *std::move(found);
    if (const MarkedText* name = key.text()) {
        if (value.map() == nullptr) return attribute(value, name->bytes);
        return has_method(value, name->bytes) ? bound_method(value, name->bytes) : undefined_of(value, name->bytes);
    }
    if (key.is_undefined()) return Undefined{"no element of an undefined key"};
    return Undefined{"'" + type_name(value) + "' object has no such element"};
}

Value item_path(const Value& value, const Value& path, const Value* otherwise) {
    const auto step = [&](const Value& from, const Value& key) {
        Value next = item(from, key);
        return next.is_undefined() && otherwise != nullptr && !otherwise->is_none() ? *otherwise : next;
    };
    if (path.is_none()) return value;
    const MarkedText* text = path.text();
    if (text == nullptr) return step(value, path);
    Value at = value;
    for (size_t begin = 0; begin <= text->size();) {
        const size_t end = std::min(text->bytes.find('.', begin), text->size());
        const std::string part = text->bytes.substr(begin, end - begin);
        const bool digits = !part.empty() && part.size() < 18 && part.find_first_not_of("0123456789") == std::string::npos;
        at = step(at, digits ? Value(int64_t{std::stoll(part)}) : make_text(part));
        begin = end + 1;
    }
    return at;
}

Value slice_of(const Value& value, const Value& start, const Value& stop, const Value& step, Budget& budget) {
    require_defined(value);
    const List* list = value.list();
    const MarkedText* text = value.text();
    if (text == nullptr && (list == nullptr || list->kind > ListKind::tuple))
        return Undefined{"'" + type_name(value) + "' object cannot be sliced"};
    const auto size =
        text != nullptr ? static_cast<int64_t>(count_characters(text->bytes)) : static_cast<int64_t>(list->items.size());
    const int64_t by = bound(step, 0, INT64_MIN / 4, INT64_MAX / 4, 1);
    if (by == 0) throw Failure("slice step cannot be zero");
    const int64_t low = by > 0 ? 0 : -1, high = by > 0 ? size : size - 1;
    const int64_t begin = bound(start, size, low, high, by > 0 ? low : high),
                  end = bound(stop, size, low, high, by > 0 ? high : low);
    if (text != nullptr && by == 1) {
        const size_t from = byte_of_character(text->bytes, static_cast<size_t>(begin));
        const size_t rest = byte_of_character(std::string_view(text->bytes).substr(from),
                                              static_cast<size_t>(std::max<int64_t>(end - begin, 0)));
        budget.charge(rest);
        return make_text(slice(*text, from, from + rest));
    }
    budget.charge_items(static_cast<size_t>(size));
    const std::vector<Value> all = iterate(value);
    std::vector<Value> picked;
    for (int64_t i = begin; by > 0 ? i < end : i > end; i += by) picked.push_back(all[static_cast<size_t>(i)]);
    if (text == nullptr) return make_list(std::move(picked), list->kind);
    return concat(picked, budget);
}

}  // namespace craft::jinja
