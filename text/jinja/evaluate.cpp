// Expressions.
#include "text/jinja/interpreter.h"
#include "text/jinja/operators.h"

namespace craft::jinja {

Value Interpreter::evaluate(const Expr& expr) {
    budget_.step();
    const Level level(budget_);
    line_ = expr.line;
    switch (expr.kind) {
        case ExprKind::constant:
            return expr.value;
        case ExprKind::name:
            return name(expr.name);
        case ExprKind::list:
        case ExprKind::tuple:
        case ExprKind::dict:
            return evaluate_literal(expr);
        case ExprKind::attribute:
            return jinja::attribute(evaluate(*expr.parts[0]), expr.name);
        case ExprKind::item:
            return evaluate_item(expr);
        case ExprKind::call: {
            const Value callee = evaluate(*expr.parts[0]);
            const Call arguments = evaluate_args(expr.args);
            line_ = expr.line;
            return call(callee, arguments);
        }
        case ExprKind::filter: {
            const Value value = evaluate(*expr.parts[0]);
            const Call arguments = evaluate_args(expr.args);
            line_ = expr.line;
            return filter(expr.name, value, arguments);
        }
        case ExprKind::test: {
            const Value value = evaluate(*expr.parts[0]);
            const Call arguments = evaluate_args(expr.args);
            line_ = expr.line;
            return test(expr.name, value, arguments);
        }
        case ExprKind::conditional:
            if (truth(evaluate(*expr.parts[1]))) return evaluate(*expr.parts[0]);
            if (expr.parts[2]) return evaluate(*expr.parts[2]);
            return Undefined{"the inline if-expression evaluated to false and no else section was defined"};
        case ExprKind::logical_and: {
            Value left = evaluate(*expr.parts[0]);
            return truth(left) ? evaluate(*expr.parts[1]) : left;
        }
        case ExprKind::logical_or: {
            Value left = evaluate(*expr.parts[0]);
            return truth(left) ? left : evaluate(*expr.parts[1]);
        }
        case ExprKind::logical_not:
            return !truth(evaluate(*expr.parts[0]));
        default:
            return evaluate_operator(expr);
    }
}

Value Interpreter::evaluate_operator(const Expr& expr) {
    switch (expr.kind) {
        case ExprKind::binary: {
            const Value left = evaluate(*expr.parts[0]);
            const Value right = evaluate(*expr.parts[1]);
            line_ = expr.line;
            return binary(expr.name, left, right, budget_);
        }
        case ExprKind::concat: {
            std::vector<Value> values;
            for (const ExprPtr& part : expr.parts) values.push_back(evaluate(*part));
            return concat(values, budget_);
        }
        case ExprKind::compare:
            return evaluate_compare(expr);
        case ExprKind::negative:
            return negative(evaluate(*expr.parts[0]));
        case ExprKind::positive:
            return negative(negative(evaluate(*expr.parts[0])));
        default:
            break;
    }
    throw Failure("an expression that is not supported here");
}

Value Interpreter::evaluate_compare(const Expr& expr) {
    Value left = evaluate(*expr.parts[0]);
    for (size_t i = 0; i < expr.operators.size(); ++i) {
        Value right = evaluate(*expr.parts[i + 1]);
        const std::string& op = expr.operators[i];
        bool holds = false;
        if (op == "in" || op == "not in") {
            holds = contains(right, left) == (op == "in");
        } else if (op == "==" || op == "!=") {
            holds = equal(left, right) == (op == "==");
        } else {
            const int order = compare(left, right);
            holds = op == "<" ? order < 0 : op == "<=" ? order <= 0 : op == ">" ? order > 0 : order >= 0;
        }
        if (!holds) return false;
        left = std::move(right);
    }
    return true;
}

Value Interpreter::evaluate_literal(const Expr& expr) {
    std::vector<Value> values;
    for (const ExprPtr& part : expr.parts) values.push_back(evaluate(*part));
    budget_.charge_items(values.size());
    if (expr.kind != ExprKind::dict)
        return make_list(std::move(values), expr.kind == ExprKind::list ? ListKind::list : ListKind::tuple);
    std::vector<std::pair<Value, Value>> entries;
    for (size_t i = 0; i + 1 < values.size(); i += 2) entries.emplace_back(std::move(values[i]), std::move(values[i + 1]));
    return make_map(std::move(entries));
}

Value Interpreter::evaluate_item(const Expr& expr) {
    const Value of = evaluate(*expr.parts[0]);
    const Expr& key = *expr.parts[1];
    if (key.kind != ExprKind::slice) return jinja::item(of, evaluate(key));
    Value bounds[3] = {None{}, None{}, None{}};
    for (size_t i = 0; i < 3; ++i)
        if (key.parts[i]) bounds[i] = evaluate(*key.parts[i]);
    return slice_of(of, bounds[0], bounds[1], bounds[2], budget_);
}

Value Interpreter::apply_filters(const Expr* expr, const Value& value) {
    if (expr == nullptr) return value;
    const Value in = apply_filters(expr->parts[0].get(), value);
    return filter(expr->name, in, evaluate_args(expr->args));
}

Call Interpreter::evaluate_args(const CallArgs& args) {
    Call call;
    for (const ExprPtr& part : args.positional) call.args.push_back(evaluate(*part));
    for (const auto& [key, part] : args.named) call.named.emplace_back(key, evaluate(*part));
    if (args.rest)
        for (Value& value : iterate(evaluate(*args.rest))) call.args.push_back(std::move(value));
    if (args.named_rest) {
        const Value rest = evaluate(*args.named_rest);
        if (rest.map() == nullptr) throw Failure("what follows ** must be a dict, got " + type_name(rest));
        for (const auto& [key, value] : rest.map()->entries) {
            if (key.text() == nullptr) throw Failure("keywords must be strings");
            call.named.emplace_back(key.text()->bytes, value);
        }
    }
    budget_.charge_items(call.args.size() + call.named.size());
    return call;
}

Value Interpreter::name(const std::string& name) {
    if (const Value* found = scope_->find(name)) return *found;
    for (const char* global :
         {"range", "dict", "namespace", "raise_exception", "strftime_now", "lipsum", "cycler", "joiner"})
        if (name == global) {
            auto function = std::make_shared<Callable>();
            function->name = name;
            return std::shared_ptr<const Callable>(std::move(function));
        }
    return Undefined{"'" + name + "' is undefined"};
}

}  // namespace craft::jinja
