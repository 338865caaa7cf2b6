// The values of templates, with Python's semantics.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/json.h"
#include "text/jinja/marked_text.h"

namespace craft::jinja {

// What went wrong while a template was rendered; the interpreter adds file and line and makes a craft::Error of it.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Undefined {
    std::shared_ptr<const std::string> why;  // "'x' is undefined": what an operation on it fails with
    Undefined() = default;
    explicit Undefined(std::string reason) : why(std::make_shared<const std::string>(std::move(reason))) {}
    bool operator==(const Undefined&) const { return true; }
};
struct None {
    bool operator==(const None&) const { return true; }
};
struct List;
struct Map;
struct Namespace;
struct Loop;
struct Callable;

using Text = std::shared_ptr<const MarkedText>;
using ListPtr = std::shared_ptr<List>;
using MapPtr = std::shared_ptr<const Map>;

struct Value {
    std::variant<Undefined, None, bool, int64_t, double, Text, ListPtr, MapPtr, std::shared_ptr<Namespace>,
                 std::shared_ptr<Loop>, std::shared_ptr<const Callable>>
        held;

    Value() = default;
    template <class T>
    requires(!std::is_same_v<std::decay_t<T>, Value>) Value(T value) : held(std::move(value)) {}
    template <class T>
    const T* as() const {
        return std::get_if<T>(&held);
    }
    bool is_undefined() const { return as<Undefined>() != nullptr; }
    bool is_none() const { return as<None>() != nullptr; }
    const MarkedText* text() const { return as<Text>() ? as<Text>()->get() : nullptr; }
    const List* list() const { return as<ListPtr>() ? as<ListPtr>()->get() : nullptr; }
    const Map* map() const { return as<MapPtr>() ? as<MapPtr>()->get() : nullptr; }
};

// Deeper lists and maps are refused: code that walks them recurses.
constexpr int kMaxValueDepth = 120;

// An iterator (what map, select and their like give) can be walked once and has neither length nor items; views are of maps.
enum class ListKind { list, tuple, iterator, range, keys, values, items };
struct List {
    std::vector<Value> items;
    ListKind kind = ListKind::list;
    int depth = 1;
    bool spent = false;  // an iterator that was walked
};

// Keys in the order of insertion; any hashable value may be one.
struct Map {
    std::vector<std::pair<Value, Value>> entries;
    int source = kOther;  // the message that it is
    int depth = 1;
    const Value* find(const Value& key) const;
    const Value* find(std::string_view key) const;
};

struct Namespace {
    std::vector<std::pair<std::string, Value>> entries;
};

Value make_text(MarkedText text);
Value make_text(std::string text);
// Throws Failure above kMaxValueDepth.
Value make_list(std::vector<Value> items, ListKind kind = ListKind::list);
// Later entries replace earlier ones of the same key, in their place.
Value make_map(std::vector<std::pair<Value, Value>> entries, int source = kOther);
// Every string in it is marked with `source`. Throws Failure on numbers that do not fit 64 bits and on deep nesting.
Value from_json(const Json& json, int source);

// "str", "list", "undefined" ...: for messages.
std::string type_name(const Value& value);
bool truth(const Value& value);
bool equal(const Value& a, const Value& b);
// -1, 0, 1; throws Failure where Python has no order.
int compare(const Value& a, const Value& b);
// Throws Failure with what an undefined value says.
void require_defined(const Value& value);

// str(value) and repr(value). Throws Failure for what has no fixed spelling (iterators, macros, methods).
MarkedText to_text(const Value& value);
MarkedText to_repr(const Value& value);
std::string float_repr(double value);

// The items that a `for` walks: a string's characters, a map's keys. Throws Failure if it cannot be walked; spends
// iterators.
std::vector<Value> iterate(const Value& value);
// len(): throws Failure for what has none.
int64_t length(const Value& value);

}  // namespace craft::jinja
