// The tests: `value is name(...)`.
#include <functional>
#include <map>

#include "text/jinja/characters.h"
#include "text/jinja/filters.h"
#include "text/jinja/operators.h"
#include "text/utf8.h"

namespace craft::jinja {

namespace {

using Test = std::function<bool(Interpreter&, const Value&, const Call&)>;

Test simple(bool (*holds)(const Value&)) {
    return [holds](Interpreter&, const Value& value, const Call& call) {
        const Arguments none(call, "this test", {});
        return holds(value);
    };
}

Test with_other(bool (*holds)(const Value&, const Value&)) {
    return [holds](Interpreter&, const Value& value, const Call& call) {
        return holds(value, Arguments(call, "this test", {"other"}).required(0));
    };
}

bool is_text(const Value& value) {
    return value.text() != nullptr;
}

bool is_number(const Value& value) {
    return value.as<int64_t>() != nullptr || value.as<double>() != nullptr || value.as<bool>() != nullptr;
}

bool is_iterable(const Value& value) {
    return is_text(value) || value.list() != nullptr || value.map() != nullptr || value.is_undefined() ||
           value.as<std::shared_ptr<Loop>>() != nullptr;
}

bool is_sequence(const Value& value) {
    if (const List* list = value.list())
        return list->kind == ListKind::list || list->kind == ListKind::tuple || list->kind == ListKind::range;
    return is_text(value) || value.map() != nullptr || value.is_undefined();
}

int64_t remainder(const Value& value, const Value& by) {
    require_defined(value);
    const auto* number = value.as<int64_t>();
    const auto* divisor = by.as<int64_t>();
    if (number == nullptr || divisor == nullptr) throw Failure("a whole number is needed, got " + type_name(value));
    if (*divisor == 0) throw Failure("division by zero");
    return *divisor == -1 ? 0 : *number % *divisor;
}

bool is_same(const Value& a, const Value& b) {
    const auto single = [](const Value& value) { return value.is_none() || value.as<bool>() != nullptr; };
    if (single(a) || single(b)) return a.held.index() == b.held.index() && equal(a, b);
    if (a.list() != nullptr || a.map() != nullptr || b.list() != nullptr || b.map() != nullptr) return a.held == b.held;
    throw Failure("sameas is supported for none, true, false, lists and maps only");
}

bool has_case(const Value& value, std::string (*same)(std::string_view), std::string (*other)(std::string_view)) {
    const std::string text = to_text(value).bytes;
    return same(text) == text && other(text) != text;
}

const std::map<std::string, Test, std::less<>>& tests() {
    static const auto all = [] {
        std::map<std::string, Test, std::less<>> table;
        table["defined"] = simple([](const Value& v) { return !v.is_undefined(); });
        table["undefined"] = simple([](const Value& v) { return v.is_undefined(); });
        table["none"] = simple([](const Value& v) { return v.is_none(); });
        table["boolean"] = simple([](const Value& v) { return v.as<bool>() != nullptr; });
        table["true"] = simple([](const Value& v) { return v.as<bool>() != nullptr && *v.as<bool>(); });
        table["false"] = simple([](const Value& v) { return v.as<bool>() != nullptr && !*v.as<bool>(); });
        table["integer"] = simple([](const Value& v) { return v.as<int64_t>() != nullptr; });
        table["float"] = simple([](const Value& v) { return v.as<double>() != nullptr; });
        table["number"] = simple(is_number);
        table["string"] = simple(is_text);
        table["mapping"] = simple([](const Value& v) { return v.map() != nullptr; });
        table["iterable"] = simple(is_iterable);
        table["sequence"] = simple(is_sequence);
        table["callable"] = simple([](const Value& v) {
            return v.as<std::shared_ptr<const Callable>>() != nullptr || v.as<std::shared_ptr<Loop>>() != nullptr ||
                   v.is_undefined();
        });
        table["escaped"] = simple([](const Value& v) { return v.text() != nullptr && v.text()->safe; });
        table["odd"] = simple([](const Value& v) { return remainder(v, int64_t{2}) != 0; });
        table["even"] = simple([](const Value& v) { return remainder(v, int64_t{2}) == 0; });
        table["lower"] = simple([](const Value& v) { return has_case(v, lowercase, uppercase); });
        table["upper"] = simple([](const Value& v) { return has_case(v, uppercase, lowercase); });
        table["divisibleby"] = with_other([](const Value& v, const Value& by) { return remainder(v, by) == 0; });
        table["sameas"] = with_other(is_same);
        table["in"] = with_other([](const Value& v, const Value& in) { return contains(in, v); });
        for (const char* name : {"==", "eq", "equalto"}) table[name] = with_other(equal);
        for (const char* name : {"!=", "ne"})
            table[name] = with_other([](const Value& a, const Value& b) { return !equal(a, b); });
        for (const char* name : {">", "gt", "greaterthan"})
            table[name] = with_other([](const Value& a, const Value& b) { return compare(a, b) > 0; });
        for (const char* name : {"<", "lt", "lessthan"})
            table[name] = with_other([](const Value& a, const Value& b) { return compare(a, b) < 0; });
        for (const char* name : {">=", "ge"})
            table[name] = with_other([](const Value& a, const Value& b) { return compare(a, b) >= 0; });
        for (const char* name : {"<=", "le"})
            table[name] = with_other([](const Value& a, const Value& b) { return compare(a, b) <= 0; });
        table["filter"] = simple([](const Value& v) { return is_known_filter(to_text(v).bytes); });
        table["test"] = simple([](const Value& v) { return is_known_test(to_text(v).bytes); });
        return table;
    }();
    return all;
}

}  // namespace

bool is_known_test(const std::string& name) {
    return tests().count(name) > 0;
}

bool Interpreter::test(const std::string& name, const Value& value, const Call& call) {
    const auto found = tests().find(name);
    if (found == tests().end()) throw Failure("the test '" + name + "' is not supported");
    return found->second(*this, value, call);
}

}  // namespace craft::jinja
