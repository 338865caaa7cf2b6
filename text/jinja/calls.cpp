// Calls: of macros, methods and the functions that every template has.
#include <algorithm>

#include "text/jinja/format.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/methods.h"

namespace craft::jinja {

namespace {

constexpr size_t kMaxRange = 100'000;  // as Jinja's sandbox has it

// items() of a dict or pairs, as dict() and namespace() take them.
std::vector<std::pair<Value, Value>> entries_of(const std::string& function, const Call& call) {
    std::vector<std::pair<Value, Value>> entries;
    if (call.args.size() > 1)
        throw Failure(function + " takes at most one argument, got " + std::to_string(call.args.size()));
    if (!call.args.empty()) {
        if (const Map* map = call.args[0].map()) {
            entries = map->entries;
        } else {
            for (const Value& pair : iterate(call.args[0])) {
                std::vector<Value> two = iterate(pair);
                if (two.size() != 2) throw Failure(function + " needs pairs");
                entries.emplace_back(std::move(two[0]), std::move(two[1]));
            }
        }
    }
    for (const auto& [key, value] : call.named) entries.emplace_back(make_text(key), value);
    return entries;
}

Value range(const Call& call, Budget& budget) {
    if (call.args.empty()) throw Failure("range needs an argument");
    const Arguments given(call, "range", {"start", "stop", "step"});
    const bool one = call.args.size() == 1;
    const int64_t start = one ? 0 : given.whole(0, 0), stop = given.whole(one ? 0 : 1, 0), step = given.whole(2, 1);
    if (step == 0) throw Failure("range: the step must not be zero");
    std::vector<Value> items;
    for (int64_t i = start; step > 0 ? i < stop : i > stop;) {
        if (items.size() >= kMaxRange) throw Failure("range: more than " + std::to_string(kMaxRange) + " items");
        items.push_back(i);
        if (__builtin_add_overflow(i, step, &i)) break;
    }
    budget.charge_items(items.size());
    return make_list(std::move(items), ListKind::range);
}

}  // namespace

Value Interpreter::make_namespace(const Call& call) {
    auto made = std::make_shared<Namespace>();
    for (auto& [key, value] : entries_of("namespace", call)) {
        if (key.text() == nullptr) throw Failure("namespace needs names");
        if (key.text()->bytes.starts_with("_"))
            throw Failure("attributes of a namespace cannot start with an underscore, got '" + key.text()->bytes + "'");
        const auto there = std::find_if(made->entries.begin(), made->entries.end(),
                                        [name = key.text()->bytes](const auto& entry) { return entry.first == name; });
        if (there != made->entries.end())
            there->second = std::move(value);
        else
            made->entries.emplace_back(key.text()->bytes, std::move(value));
    }
    budget_.charge_items(made->entries.size());
    namespaces_.push_back(made);
    return made;
}

Value Interpreter::call_function(const std::string& name, const Call& call) {
    if (name == "range") return range(call, budget_);
    if (name == "namespace") return make_namespace(call);
    if (name == "dict") {
        auto entries = entries_of("dict", call);
        budget_.charge_items(entries.size());
        return make_map(std::move(entries));
    }
    if (name == "raise_exception") {
        const Arguments given(call, name, {"message"});
        throw Failure("the template refuses this conversation: " + to_text(given.required(0)).bytes);
    }
    if (name == "strftime_now") {
        const Arguments given(call, name, {"format"});
        if (given.required(0).text() == nullptr)
            throw Failure("strftime_now needs a string, got " + type_name(given.required(0)));
        return make_text(time_now(given.required(0).text()->bytes));
    }
    throw Failure("the function '" + name + "' is not supported");
}

Value Interpreter::call(const Value& callee, const Call& arguments) {
    if (callee.as<std::shared_ptr<Loop>>() != nullptr) throw Failure("recursive loops are not supported");
    require_defined(callee);
    const auto* callable = callee.as<std::shared_ptr<const Callable>>();
    if (callable == nullptr) throw Failure("'" + type_name(callee) + "' object is not callable");
    const Callable& function = **callable;
    if (function.macro != nullptr) return call_macro(function, arguments);
    if (function.receiver) return call_method(*function.receiver, function.name, arguments, budget_);
    return call_function(function.name, arguments);
}

Value Interpreter::call_macro(const Callable& callable, const Call& given) {
    const Macro& macro = *callable.macro;
    auto outer = callable.scope.lock();
    if (!outer) throw Failure("the macro '" + macro.name + "' is called outside of its scope");
    const int line = line_;
    auto scope = std::make_shared<Scope>();
    scope->outer = std::move(outer);
    std::vector<Value> rest;
    if (given.args.size() > macro.parameters.size()) {
        if (!macro.takes_rest)
            throw Failure("macro '" + macro.name + "' takes not more than " + std::to_string(macro.parameters.size()) +
                          " arguments");
        rest.assign(given.args.begin() + static_cast<std::ptrdiff_t>(macro.parameters.size()), given.args.end());
    }
    std::vector<std::pair<Value, Value>> named_rest;
    std::vector<const Value*> values(macro.parameters.size(), nullptr);
    for (size_t i = 0; i < std::min(given.args.size(), values.size()); ++i) values[i] = &given.args[i];
    for (const auto& [key, value] : given.named) {
        const auto at =
            static_cast<size_t>(std::find(macro.parameters.begin(), macro.parameters.end(), key) - macro.parameters.begin());
        if (at < values.size() && values[at] == nullptr)
            values[at] = &value;
        else if (key == "caller")
            scope->set(key, value);
        else if (macro.takes_named_rest)
            named_rest.emplace_back(make_text(key), value);
        else
            throw Failure("macro '" + macro.name + "' takes no keyword argument '" + key + "'");
    }
    if (macro.takes_rest) scope->set("varargs", make_list(std::move(rest), ListKind::tuple));
    if (macro.takes_named_rest) scope->set("kwargs", make_map(std::move(named_rest)));
    std::swap(scope, scope_);
    struct Restore {
        std::shared_ptr<Scope>& at;
        std::shared_ptr<Scope>& to;
        ~Restore() { std::swap(at, to); }
    } const restore{scope_, scope};
    const size_t without_default = macro.parameters.size() - macro.defaults.size();
    for (size_t i = 0; i < values.size(); ++i) {
        if (values[i] != nullptr)
            scope_->set(macro.parameters[i], *values[i]);
        else if (i >= without_default)
            scope_->set(macro.parameters[i], evaluate(*macro.defaults[i - without_default]));
        else
            scope_->set(macro.parameters[i], Undefined{"parameter '" + macro.parameters[i] + "' was not provided"});
    }
    Value result = make_text(captured(macro.body));
    line_ = line;
    return result;
}

}  // namespace craft::jinja
