#include "text/jinja/operators.h"

#include <algorithm>
#include <cmath>

#include "text/jinja/format.h"

namespace craft::jinja {

namespace {

std::optional<int64_t> whole_of(const Value& value) {
    if (const auto* truth_value = value.as<bool>()) return *truth_value ? 1 : 0;
    if (const auto* whole = value.as<int64_t>()) return *whole;
    return std::nullopt;
}

std::optional<double> real_of(const Value& value) {
    if (const auto* real = value.as<double>()) return *real;
    if (const auto whole = whole_of(value)) return static_cast<double>(*whole);
    return std::nullopt;
}

[[noreturn]] void fail_types(std::string_view op, const Value& a, const Value& b) {
    throw Failure("unsupported operand types for " + std::string(op) + ": '" + type_name(a) + "' and '" + type_name(b) +
                  "'");
}

[[noreturn]] void fail_size() {
    throw Failure("a whole number that does not fit 64 bits");
}

int64_t floor_divide(int64_t a, int64_t b) {
    if (b == 0) throw Failure("division by zero");
    if (a == INT64_MIN && b == -1) fail_size();
    return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

Value whole_power(int64_t base, int64_t exponent) {
    if (exponent < 0) {
        if (base == 0) throw Failure("division by zero");
        return std::pow(static_cast<double>(base), static_cast<double>(exponent));
    }
    if (base == 0 || base == 1) return exponent == 0 ? int64_t{1} : base;
    if (base == -1) return int64_t{exponent % 2 == 0 ? 1 : -1};
    int64_t result = 1;
    for (; exponent > 0; --exponent)  // at most 63 times
        if (__builtin_mul_overflow(result, base, &result)) fail_size();
    return result;
}

Value whole_binary(std::string_view op, int64_t a, int64_t b) {
    int64_t result = 0;
    if (op == "+" || op == "-" || op == "*") {
        const bool overflow = op == "+"   ? __builtin_add_overflow(a, b, &result)
                              : op == "-" ? __builtin_sub_overflow(a, b, &result)
                                          : __builtin_mul_overflow(a, b, &result);
        if (overflow) fail_size();
        return result;
    }
    if (op == "//") return floor_divide(a, b);
    if (op == "**") return whole_power(a, b);
    if (b == 0) throw Failure("division by zero");
    if (op == "/") return static_cast<double>(a) / static_cast<double>(b);
    return b == -1 ? int64_t{0} : a - floor_divide(a, b) * b;
}

Value real_binary(std::string_view op, double a, double b) {
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    if (op == "**") {
        if (a == 0 && b < 0) throw Failure("division by zero");
        const double power = std::pow(a, b);
        if (std::isnan(power) && !std::isnan(a) && !std::isnan(b)) throw Failure("a power that is not a real number");
        if (std::isinf(power) && !std::isinf(a) && !std::isinf(b)) throw Failure("a power that is too large");
        return power;
    }
    if (b == 0) throw Failure("division by zero");
    if (op == "/") return a / b;
    double rest = std::fmod(a, b);
    if (rest != 0 && (rest < 0) != (b < 0)) rest += b;
    if (op == "%") return rest == 0 ? std::copysign(0.0, b) : rest;
    const double quotient = (a - rest) / b, floored = std::floor(quotient);
    return quotient - floored > 0.5 ? floored + 1 : floored;
}

MarkedText html_escaped(const MarkedText& text) {
    MarkedText out;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text.bytes[i];
        const char* entity = c == '&'    ? "&amp;"
                             : c == '<'  ? "&lt;"
                             : c == '>'  ? "&gt;"
                             : c == '\'' ? "&#39;"
                             : c == '"'  ? "&#34;"
                                         : nullptr;
        const MarkedText character = slice(text, i, i + 1);
        out.append(entity == nullptr ? character : derived(entity, character));
    }
    return out;
}

Value add_texts(const MarkedText& a, const MarkedText& b, Budget& budget) {
    const bool safe = a.safe || b.safe;  // markupsafe escapes the side that is not safe
    MarkedText sum;
    budget.charge((a.size() + b.size()) * (safe ? 5 : 1));
    sum.bytes.reserve(a.size() + b.size());
    sum.append(safe && !a.safe ? html_escaped(a) : a);
    sum.append(safe && !b.safe ? html_escaped(b) : b);
    sum.safe = safe;
    return make_text(std::move(sum));
}

bool is_array(const List* list) {
    return list != nullptr && list->kind <= ListKind::tuple;
}

Value add(const Value& a, const Value& b, Budget& budget) {
    if (a.text() != nullptr && b.text() != nullptr) return add_texts(*a.text(), *b.text(), budget);
    const List* left = a.list();
    const List* right = b.list();
    if (!is_array(left) || !is_array(right) || left->kind != right->kind) fail_types("+", a, b);
    budget.charge_items(left->items.size() + right->items.size());
    std::vector<Value> items = left->items;
    items.insert(items.end(), right->items.begin(), right->items.end());
    return make_list(std::move(items), left->kind);
}

Value repeat(const Value& what, int64_t times, Budget& budget) {
    const auto count = static_cast<size_t>(std::max<int64_t>(times, 0));
    const MarkedText* text = what.text();
    const size_t size = text != nullptr ? text->size() : what.list()->items.size();
    if (size == 0 || count == 0) return text != nullptr ? make_text("") : make_list({}, what.list()->kind);
    if (count > SIZE_MAX / 64 / size) budget.charge(SIZE_MAX);
    if (text != nullptr) {
        budget.charge(count * size);
        MarkedText repeated;
        for (size_t i = 0; i < count; ++i) repeated.append(*text);
        repeated.safe = text->safe;
        return make_text(std::move(repeated));
    }
    budget.charge_items(count * size);
    std::vector<Value> items;
    for (size_t i = 0; i < count; ++i) items.insert(items.end(), what.list()->items.begin(), what.list()->items.end());
    return make_list(std::move(items), what.list()->kind);
}

}  // namespace

Value binary(std::string_view op, const Value& a, const Value& b, Budget& budget) {
    require_defined(a);
    const auto m = whole_of(a), n = whole_of(b);
    if (m && n) return whole_binary(op, *m, *n);
    const auto x = real_of(a), y = real_of(b);
    if (x && y) return real_binary(op, *x, *y);
    if (op == "%" && a.text() != nullptr) return make_text(percent_format(*a.text(), b, budget));
    require_defined(b);
    if (op == "+") return add(a, b, budget);
    if (op == "*" && n && (a.text() != nullptr || is_array(a.list()))) return repeat(a, *n, budget);
    if (op == "*" && m && (b.text() != nullptr || is_array(b.list()))) return repeat(b, *m, budget);
    fail_types(op, a, b);
}

Value negative(const Value& value) {
    require_defined(value);
    if (const auto whole = whole_of(value)) {
        if (*whole == INT64_MIN) fail_size();
        return -*whole;
    }
    if (const auto* real = value.as<double>()) return -*real;
    throw Failure("bad operand type for a sign: '" + type_name(value) + "'");
}

Value concat(const std::vector<Value>& values, Budget& budget) {
    MarkedText joined;
    for (const Value& value : values) {
        const MarkedText part = to_text(value);
        budget.charge(part.size());
        joined.append(part);
    }
    return make_text(std::move(joined));
}

bool contains(const Value& container, const Value& item_value) {
    if (const MarkedText* text = container.text()) {
        if (item_value.text() != nullptr) return text->bytes.find(item_value.text()->bytes) != std::string::npos;
        throw Failure("'in <string>' requires string as left operand, not " + type_name(item_value));
    }
    if (const Map* map = container.map()) return map->find(item_value) != nullptr;
    const std::vector<Value> items = iterate(container);
    return std::any_of(items.begin(), items.end(), [&](const Value& each) { return equal(each, item_value); });
}

}  // namespace craft::jinja
