// Filters of lists and maps.
#include <algorithm>

#include "text/jinja/filters.h"
#include "text/jinja/operators.h"
#include "text/utf8.h"

namespace craft::jinja {

namespace {

Value lowered(const Value& value) {
    return value.text() == nullptr ? value : make_text(lowercase(value.text()->bytes));
}

Value made(Interpreter& in, std::vector<Value> items, ListKind kind) {
    in.budget().charge_items(items.size());
    return make_list(std::move(items), kind);
}

Value length_of(Interpreter&, const Value& value, const Call& call) {
    const Arguments none(call, "length", {});
    return length(value);
}

Value list(Interpreter& in, const Value& value, const Call& call) {
    const Arguments none(call, "list", {});
    return made(in, iterate(value), ListKind::list);
}

Value first(Interpreter&, const Value& value, const Call& call) {
    const Arguments none(call, "first", {});
    const std::vector<Value> items = iterate(value);
    return items.empty() ? Value(Undefined{"No first item, sequence was empty."}) : items.front();
}

Value last(Interpreter&, const Value& value, const Call& call) {
    const Arguments none(call, "last", {});
    require_defined(value);
    if (value.list() != nullptr && value.list()->kind == ListKind::iterator)
        throw Failure("'generator' object is not reversible");
    const std::vector<Value> items = iterate(value);
    return items.empty() ? Value(Undefined{"No last item, sequence was empty."}) : items.back();
}

Value reverse(Interpreter& in, const Value& value, const Call& call) {
    const Arguments none(call, "reverse", {});
    std::vector<Value> items = iterate(value);
    std::reverse(items.begin(), items.end());
    if (value.text() != nullptr) return concat(items, in.budget());
    return made(in, std::move(items), ListKind::iterator);
}

Value items(Interpreter& in, const Value& value, const Call& call) {
    const Arguments none(call, "items", {});
    if (value.is_undefined()) return make_list({}, ListKind::iterator);
    const Map* map = value.map();
    if (map == nullptr) throw Failure("Can only get item pairs from a mapping, got " + type_name(value));
    std::vector<Value> pairs;
    for (const auto& [key, item] : map->entries) pairs.push_back(make_list({key, item}, ListKind::tuple));
    return made(in, std::move(pairs), ListKind::iterator);
}

// Sorted by keys that were computed before; stable, also when it is reversed.
std::vector<Value> sorted(std::vector<std::pair<Value, Value>> keyed, bool reversed) {
    std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
        return (reversed ? compare(b.first, a.first) : compare(a.first, b.first)) < 0;
    });
    std::vector<Value> values;
    for (auto& each : keyed) values.push_back(std::move(each.second));
    return values;
}

// NaN has no order, and std::stable_sort needs one.
void refuse_nan(const Value& key) {
    if (const auto* real = key.as<double>(); real != nullptr && *real != *real)
        throw Failure("sorting NaN is not supported");
    if (const List* parts = key.list())
        for (const Value& part : parts->items) refuse_nan(part);
}

Value dictsort(Interpreter& in, const Value& value, const Call& call) {
    const Arguments given(call, "dictsort", {"case_sensitive", "by", "reverse"});
    require_defined(value);
    const Map* map = value.map();
    if (map == nullptr) throw Failure("dictsort needs a mapping, got " + type_name(value));
    const std::string by = given.get(1) == nullptr ? "key" : to_text(*given.get(1)).bytes;
    if (by != "key" && by != "value") throw Failure("dictsort: by must be key or value");
    std::vector<std::pair<Value, Value>> keyed;
    for (const auto& [key, item] : map->entries) {
        const Value& sort_key = by == "key" ? key : item;
        refuse_nan(sort_key);
        keyed.emplace_back(given.flag(0, false) ? sort_key : lowered(sort_key), make_list({key, item}, ListKind::tuple));
    }
    return made(in, sorted(std::move(keyed), given.flag(2, false)), ListKind::list);
}

Value sort(Interpreter& in, const Value& value, const Call& call) {
    const Arguments given(call, "sort", {"reverse", "case_sensitive", "attribute"});
    const Value path = given.get(2) == nullptr ? Value(None{}) : *given.get(2);
    if (path.text() != nullptr && path.text()->bytes.find(',') != std::string::npos)
        throw Failure("sort by several attributes is not supported");
    std::vector<std::pair<Value, Value>> keyed;
    for (const Value& each : iterate(value)) {
        const Value key = item_path(each, path);
        refuse_nan(key);
        keyed.emplace_back(given.flag(1, false) ? key : lowered(key), each);
    }
    return made(in, sorted(std::move(keyed), given.flag(0, false)), ListKind::list);
}

Value unique(Interpreter& in, const Value& value, const Call& call) {
    const Arguments given(call, "unique", {"case_sensitive", "attribute"});
    const Value path = given.get(1) == nullptr ? Value(None{}) : *given.get(1);
    std::vector<Value> seen, kept;
    for (const Value& each : iterate(value)) {
        const Value key = given.flag(0, false) ? item_path(each, path) : lowered(item_path(each, path));
        in.budget().step(static_cast<int64_t>(seen.size()));
        if (std::any_of(seen.begin(), seen.end(), [&](const Value& other) { return equal(other, key); })) continue;
        seen.push_back(key);
        kept.push_back(each);
    }
    return made(in, std::move(kept), ListKind::iterator);
}

template <int sign>
Value extreme(Interpreter&, const Value& value, const Call& call) {
    const Arguments given(call, "min or max", {"case_sensitive", "attribute"});
    const Value path = given.get(1) == nullptr ? Value(None{}) : *given.get(1);
    const std::vector<Value> all = iterate(value);
    if (all.empty()) return Undefined{"No aggregated item, sequence was empty."};
    const auto key_of = [&](const Value& each) {
        return given.flag(0, false) ? item_path(each, path) : lowered(item_path(each, path));
    };
    Value best = all[0], best_key = key_of(all[0]);
    for (size_t i = 1; i < all.size(); ++i)
        if (const Value key = key_of(all[i]); compare(key, best_key) * sign > 0) best = all[i], best_key = key;
    return best;
}

Value sum(Interpreter& in, const Value& value, const Call& call) {
    const Arguments given(call, "sum", {"attribute", "start"});
    const Value path = given.get(0) == nullptr ? Value(None{}) : *given.get(0);
    Value total = given.get(1) == nullptr ? Value(int64_t{0}) : *given.get(1);
    if (total.text() != nullptr) throw Failure("sum cannot add strings");
    for (const Value& each : iterate(value)) total = binary("+", total, item_path(each, path), in.budget());
    return total;
}

Value attr(Interpreter&, const Value& value, const Call& call) {
    const Arguments given(call, "attr", {"name"});
    const std::string name = to_text(given.required(0)).bytes;
    require_defined(value);
    if (value.map() != nullptr && !has_method(value, name))
        return Undefined{"'dict' object has no attribute '" + name + "'"};
    return attribute(value, name);
}

Call without_first(const Call& call, size_t count) {
    Call rest;
    rest.args.assign(call.args.begin() + static_cast<std::ptrdiff_t>(count), call.args.end());
    rest.named = call.named;
    return rest;
}

Value map(Interpreter& in, const Value& value, const Call& call) {
    std::vector<Value> mapped;
    if (truth(value)) {
        if (call.args.empty()) {
            const Arguments given(call, "map", {"attribute", "default"});
            for (const Value& each : iterate(value)) mapped.push_back(item_path(each, given.required(0), given.get(1)));
        } else {
            const std::string name = to_text(call.args[0]).bytes;
            const Call rest = without_first(call, 1);
            for (const Value& each : iterate(value)) mapped.push_back(in.filter(name, each, rest));
        }
    }
    return made(in, std::move(mapped), ListKind::iterator);
}

// select, reject, selectattr, rejectattr: what passes the test (or is true), or the others.
template <bool wanted, bool by_attribute>
Value select(Interpreter& in, const Value& value, const Call& call) {
    std::vector<Value> kept;
    if (!truth(value)) return made(in, {}, ListKind::iterator);
    if (by_attribute && call.args.empty()) throw Failure("selectattr and rejectattr need an attribute");
    constexpr size_t kTest = by_attribute ? 1 : 0;
    const bool tested = call.args.size() > kTest;
    const std::string name = tested ? to_text(call.args[kTest]).bytes : "";
    const Call rest = tested ? without_first(call, kTest + 1) : Call{};
    for (const Value& each : iterate(value)) {
        const Value looked_at = by_attribute ? item_path(each, call.args[0]) : each;
        if ((tested ? in.test(name, looked_at, rest) : truth(looked_at)) == wanted) kept.push_back(each);
    }
    return made(in, std::move(kept), ListKind::iterator);
}

}  // namespace

void add_list_filters(std::map<std::string, Filter, std::less<>>& table) {
    table.insert({{"length", length_of},
                  {"count", length_of},
                  {"list", list},
                  {"first", first},
                  {"last", last},
                  {"reverse", reverse},
                  {"items", items},
                  {"dictsort", dictsort},
                  {"sort", sort},
                  {"unique", unique},
                  {"min", extreme<-1>},
                  {"max", extreme<1>},
                  {"sum", sum},
                  {"attr", attr},
                  {"map", map},
                  {"select", select<true, false>},
                  {"reject", select<false, false>},
                  {"selectattr", select<true, true>},
                  {"rejectattr", select<false, true>}});
}

}  // namespace craft::jinja
