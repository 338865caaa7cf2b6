#include "text/jinja/interpreter.h"

#include <algorithm>

#include "text/jinja/operators.h"

namespace craft::jinja {

class Interpreter::Inner {
public:
    explicit Inner(Interpreter& of) : of_(of), before_(of.scope_) {
        of_.scope_ = std::make_shared<Scope>();
        of_.scope_->outer = before_;
    }
    ~Inner() { of_.scope_ = before_; }
    Inner(const Inner&) = delete;
    Inner& operator=(const Inner&) = delete;

private:
    Interpreter& of_;
    std::shared_ptr<Scope> before_;
};

const Value* Scope::find(const std::string& name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer.get())
        for (const auto& entry : scope->names)
            if (entry.first == name) return &entry.second;
    return nullptr;
}

void Scope::set(const std::string& name, Value value) {
    for (auto& entry : names)
        if (entry.first == name) {
            entry.second = std::move(value);
            return;
        }
    names.emplace_back(name, std::move(value));
}

Interpreter::Interpreter(const std::vector<std::pair<std::string, Value>>& variables, const Limits& limits)
    : budget_(limits), scope_(std::make_shared<Scope>()), out_(&rendered_.text) {
    scope_->names = variables;
}

Interpreter::~Interpreter() {
    for (const auto& each : namespaces_) each->entries.clear();
}

Rendered Interpreter::run(const Body& body) {
    const Inner scope(*this);
    run_body(body);
    return std::move(rendered_);
}

void Interpreter::print(const MarkedText& text) {
    budget_.charge(text.size());
    out_->append(text);
}

Interpreter::Flow Interpreter::run_body(const Body& body) {
    for (const Stmt& statement : body) {
        const Flow flow = run_statement(statement);
        if (flow != Flow::normal) return flow;
    }
    return Flow::normal;
}

Interpreter::Flow Interpreter::run_statement(const Stmt& statement) {
    budget_.step();
    const Level level(budget_);
    line_ = statement.line;
    switch (statement.kind) {
        case StmtKind::text:
            print(*statement.value.text());
            break;
        case StmtKind::output: {
            const Value value = evaluate(*statement.expr);
            if (const MarkedText* text = value.text())
                print(*text);
            else
                print(to_text(value));
            break;
        }
        case StmtKind::set:
            assign(*statement.target, evaluate(*statement.expr));
            break;
        case StmtKind::set_block:
            assign(*statement.target, apply_filters(statement.expr.get(), make_text(captured(statement.body))));
            break;
        case StmtKind::loop:
            return run_loop(statement);
        case StmtKind::choice:
            return run_choice(statement);
        case StmtKind::macro: {
            auto macro = std::make_shared<Callable>();
            macro->name = statement.macro->name;
            macro->macro = statement.macro.get();
            macro->scope = scope_;
            scope_->set(macro->name, std::shared_ptr<const Callable>(macro));
            break;
        }
        case StmtKind::call_block:
            run_call_block(statement);
            break;
        case StmtKind::filter_block:
            print(to_text(apply_filters(statement.expr.get(), make_text(captured(statement.body)))));
            break;
        case StmtKind::with: {
            std::vector<Value> values;  // in the scope around it
            for (const auto& binding : statement.bindings) values.push_back(evaluate(*binding.second));
            const Inner scope(*this);
            for (size_t i = 0; i < values.size(); ++i) assign(*statement.bindings[i].first, values[i]);
            return run_body(statement.body);
        }
        case StmtKind::generation:
            run_generation(statement);
            break;
        case StmtKind::break_loop:
            return Flow::break_loop;
        case StmtKind::continue_loop:
            return Flow::continue_loop;
    }
    return Flow::normal;
}

Interpreter::Flow Interpreter::run_choice(const Stmt& statement) {
    for (const auto& [condition, body] : statement.branches)
        if (!condition || truth(evaluate(*condition))) return run_body(body);
    return Flow::normal;
}

Interpreter::Flow Interpreter::run_loop(const Stmt& statement) {
    auto loop = std::make_shared<Loop>();
    loop->items = iterate(evaluate(*statement.expr));
    budget_.charge_items(loop->items.size());
    if (statement.condition) {
        std::vector<Value> kept;
        for (const Value& value : loop->items) {
            const Inner scope(*this);
            assign(*statement.target, value);
            if (truth(evaluate(*statement.condition))) kept.push_back(value);
        }
        loop->items = std::move(kept);
    }
    for (loop->index = 0; loop->index < loop->items.size(); ++loop->index) {
        const Value current = loop->items[loop->index];
        const Inner scope(*this);
        scope_->set("loop", loop);
        assign(*statement.target, current);
        const size_t begin = out_->size();
        const Flow flow = run_body(statement.body);
        const int message = current.map() != nullptr ? current.map()->source : kOther;
        if (message >= 0 && out_ == &rendered_.text && out_->size() > begin)
            rendered_.turns.push_back({message, begin, out_->size()});
        if (flow == Flow::break_loop) break;
    }
    if (loop->items.empty()) {
        const Inner scope(*this);
        return run_body(statement.otherwise);
    }
    return Flow::normal;
}

MarkedText Interpreter::captured(const Body& body) {
    MarkedText text;
    MarkedText* before = std::exchange(out_, &text);
    struct Restore {
        MarkedText*& at;
        MarkedText* to;
        ~Restore() { at = to; }
    } const restore{out_, before};
    const Inner scope(*this);
    run_body(body);
    return text;
}

void Interpreter::run_call_block(const Stmt& statement) {
    auto caller = std::make_shared<Callable>();
    caller->name = "caller";
    caller->macro = statement.macro.get();
    caller->scope = scope_;
    const Expr& expr = *statement.expr;
    const Value callee = evaluate(*expr.parts[0]);
    Call arguments = evaluate_args(expr.args);
    arguments.named.emplace_back("caller", std::shared_ptr<const Callable>(caller));
    print(to_text(call(callee, arguments)));
}

void Interpreter::run_generation(const Stmt& statement) {
    const MarkedText text = captured(statement.body);
    const size_t begin = out_->size();
    print(text);
    if (out_ == &rendered_.text) rendered_.generated.emplace_back(begin, out_->size());
}

void Interpreter::assign(const Expr& target, const Value& value) {
    if (target.kind == ExprKind::name) {
        scope_->set(target.name, value);
        return;
    }
    if (target.kind == ExprKind::member) {
        const Value* of = scope_->find(target.name);
        const auto* space = of == nullptr ? nullptr : of->as<std::shared_ptr<Namespace>>();
        if (space == nullptr) throw Failure("cannot assign attribute on non-namespace object '" + target.name + "'");
        const std::string& key = target.operators[0];
        if (key[0] == '_') throw Failure("attributes of a namespace cannot start with an underscore, got '" + key + "'");
        for (auto& entry : (*space)->entries)
            if (entry.first == key) {
                entry.second = value;
                return;
            }
        (*space)->entries.emplace_back(key, value);
        return;
    }
    const std::vector<Value> items = iterate(value);
    if (items.size() != target.parts.size())
        throw Failure("expected " + std::to_string(target.parts.size()) + " values to unpack, got " +
                      std::to_string(items.size()));
    for (size_t i = 0; i < items.size(); ++i) assign(*target.parts[i], items[i]);
}

}  // namespace craft::jinja
