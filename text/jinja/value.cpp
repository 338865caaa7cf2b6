#include "text/jinja/value.h"

#include <algorithm>
#include <cmath>

#include "text/jinja/callable.h"
#include "text/jinja/characters.h"

namespace craft::jinja {

namespace {

int depth_of(const Value& value) {
    if (const List* list = value.list()) return list->depth;
    if (const Map* map = value.map()) return map->depth;
    return 0;
}

void check_depth(int depth) {
    if (depth > kMaxValueDepth)
        throw Failure("values are nested more than " + std::to_string(kMaxValueDepth) + " levels deep");
}

bool same_entries(const Map& a, const Map& b) {
    if (a.entries.size() != b.entries.size()) return false;
    return std::all_of(a.entries.begin(), a.entries.end(), [&](const auto& entry) {
        const Value* other = b.find(entry.first);
        return other != nullptr && equal(entry.second, *other);
    });
}

// A number as a double, for comparisons; false for what is none.
bool number_of(const Value& value, double& number) {
    if (const auto* truth_value = value.as<bool>())
        number = *truth_value ? 1 : 0;
    else if (const auto* whole = value.as<int64_t>())
        number = static_cast<double>(*whole);
    else if (const auto* real = value.as<double>())
        number = *real;
    else
        return false;
    return true;
}

bool whole_of(const Value& value, int64_t& number) {
    if (const auto* truth_value = value.as<bool>())
        number = *truth_value ? 1 : 0;
    else if (const auto* whole = value.as<int64_t>())
        number = *whole;
    else
        return false;
    return true;
}

template <class T>
int order(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
}

}  // namespace

Value make_text(MarkedText text) {
    return std::make_shared<const MarkedText>(std::move(text));
}

Value make_text(std::string text) {
    return make_text(MarkedText(std::move(text)));
}

Value make_list(std::vector<Value> items, ListKind kind) {
    auto list = std::make_shared<List>();
    for (const Value& item : items) list->depth = std::max(list->depth, depth_of(item) + 1);
    check_depth(list->depth);
    list->items = std::move(items);
    list->kind = kind;
    return list;
}

Value make_map(std::vector<std::pair<Value, Value>> entries, int source) {
    auto map = std::make_shared<Map>();
    map->source = source;
    for (std::pair<Value, Value>& entry : entries) {
        map->depth = std::max({map->depth, depth_of(entry.second) + 1, depth_of(entry.first) + 1});
        if (const Value* there = map->find(entry.first))
            *const_cast<Value*>(there) = std::move(entry.second);
        else
            map->entries.push_back(std::move(entry));
    }
    check_depth(map->depth);
    return MapPtr(std::move(map));
}

Value from_json(const Json& json, int source) {
    if (json.is_null()) return None{};
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_unsigned() && json.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
        throw Failure("whole numbers above 2^63 - 1 are not supported, got " + json.dump());
    if (json.is_number_integer()) return json.get<int64_t>();
    if (json.is_number_float()) return json.get<double>();
    if (json.is_string()) return make_text(MarkedText(json.get<std::string>(), source));
    if (json.is_array()) {
        std::vector<Value> items;
        for (const Json& item : json) items.push_back(from_json(item, source));
        return make_list(std::move(items));
    }
    std::vector<std::pair<Value, Value>> entries;
    for (const auto& [key, item] : json.items())
        entries.emplace_back(make_text(MarkedText(key, source)), from_json(item, source));
    // Keys of a JSON object differ: no search for earlier ones.
    auto map = std::make_shared<Map>();
    for (const auto& entry : entries) map->depth = std::max(map->depth, depth_of(entry.second) + 1);
    check_depth(map->depth);
    map->entries = std::move(entries);
    return MapPtr(std::move(map));
}

const Value* Map::find(const Value& key) const {
    if (const MarkedText* text = key.text()) return find(std::string_view(text->bytes));
    if (key.map() != nullptr || (key.list() != nullptr && key.list()->kind == ListKind::list))
        throw Failure("unhashable type: '" + type_name(key) + "'");
    for (const auto& entry : entries)
        if (equal(entry.first, key)) return &entry.second;
    return nullptr;
}

const Value* Map::find(std::string_view key) const {
    for (const auto& entry : entries)
        if (const MarkedText* text = entry.first.text(); text != nullptr && text->bytes == key) return &entry.second;
    return nullptr;
}

std::string type_name(const Value& value) {
    if (const List* list = value.list()) {
        static const char* const names[] = {"list", "tuple", "generator", "range", "dict_keys", "dict_values", "dict_items"};
        return names[static_cast<size_t>(list->kind)];
    }
    static const char* const names[] = {"undefined", "NoneType", "bool",      "int",  "float",   "str",
                                        "list",      "dict",     "namespace", "loop", "function"};
    return names[value.held.index()];
}

bool truth(const Value& value) {
    double number = 0;
    if (number_of(value, number)) return number != 0;  // NaN is true
    if (value.is_undefined() || value.is_none()) return false;
    if (const MarkedText* text = value.text()) return !text->bytes.empty();
    if (const List* list = value.list()) return list->kind == ListKind::iterator || !list->items.empty();
    if (const Map* map = value.map()) return !map->entries.empty();
    return true;
}

bool equal(const Value& a, const Value& b) {
    int64_t m = 0, n = 0;
    if (whole_of(a, m) && whole_of(b, n)) return m == n;
    double x = 0, y = 0;
    if (number_of(a, x)) return number_of(b, y) && x == y;
    if (a.held.index() != b.held.index()) return false;
    if (a.is_undefined() || a.is_none()) return true;
    if (a.text() != nullptr) return a.text()->bytes == b.text()->bytes;
    if (const List* list = a.list()) {
        const List* other = b.list();
        if (list == other) return true;
        if (list->kind != other->kind || list->kind == ListKind::iterator || list->items.size() != other->items.size())
            return false;
        return std::equal(list->items.begin(), list->items.end(), other->items.begin(), equal);
    }
    if (a.map() != nullptr) return a.map() == b.map() || same_entries(*a.map(), *b.map());
    return a.held == b.held;
}

int compare(const Value& a, const Value& b) {
    require_defined(a);
    require_defined(b);
    int64_t m = 0, n = 0;
    if (whole_of(a, m) && whole_of(b, n)) return order(m, n);
    double x = 0, y = 0;
    if (number_of(a, x) && number_of(b, y)) return order(x, y);
    if (a.text() != nullptr && b.text() != nullptr) return order(a.text()->bytes, b.text()->bytes);  // as code points
    const List* list = a.list();
    const List* other = b.list();
    if (list != nullptr && other != nullptr && list->kind == other->kind && list->kind <= ListKind::tuple) {
        for (size_t i = 0; i < std::min(list->items.size(), other->items.size()); ++i)
            if (!equal(list->items[i], other->items[i])) return compare(list->items[i], other->items[i]);
        return order(list->items.size(), other->items.size());
    }
    throw Failure("'" + type_name(a) + "' and '" + type_name(b) + "' have no order");
}

void require_defined(const Value& value) {
    if (const auto* undefined = value.as<Undefined>())
        throw Failure(undefined->why ? *undefined->why : "an undefined value");
}

std::vector<Value> iterate(const Value& value) {
    if (value.is_undefined()) return {};
    if (const auto* list = value.as<ListPtr>()) {
        if ((*list)->kind != ListKind::iterator) return (*list)->items;
        if ((*list)->spent) return {};
        (*list)->spent = true;
        return (*list)->items;
    }
    std::vector<Value> items;
    if (const MarkedText* text = value.text()) {
        for (size_t at = 0; at < text->size();) {
            const size_t next = next_character(text->bytes, at);
            items.push_back(make_text(slice(*text, at, next)));
            at = next;
        }
        return items;
    }
    if (const Map* map = value.map()) {
        for (const auto& entry : map->entries) items.push_back(entry.first);
        return items;
    }
    if (const auto* loop = value.as<std::shared_ptr<Loop>>(); loop != nullptr)
        throw Failure("walking `loop` itself is not supported");
    throw Failure("'" + type_name(value) + "' object is not iterable");
}

int64_t length(const Value& value) {
    if (value.is_undefined()) return 0;
    if (const MarkedText* text = value.text()) return static_cast<int64_t>(count_characters(text->bytes));
    if (const List* list = value.list(); list != nullptr && list->kind != ListKind::iterator)
        return static_cast<int64_t>(list->items.size());
    if (const Map* map = value.map()) return static_cast<int64_t>(map->entries.size());
    if (const auto* loop = value.as<std::shared_ptr<Loop>>()) return static_cast<int64_t>((*loop)->items.size());
    throw Failure("object of type '" + type_name(value) + "' has no len()");
}

}  // namespace craft::jinja
