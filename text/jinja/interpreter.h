// Runs a template's tree. Inside text/jinja/ only.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/jinja/ast.h"
#include "text/jinja/budget.h"
#include "text/jinja/callable.h"
#include "text/jinja/template.h"

namespace craft::jinja {

// Names and their values; what is not here is looked for in the scope around it.
struct Scope {
    std::vector<std::pair<std::string, Value>> names;
    std::shared_ptr<Scope> outer;
    const Value* find(const std::string& name) const;
    void set(const std::string& name, Value value);
};

class Interpreter {
public:
    Interpreter(const std::vector<std::pair<std::string, Value>>& variables, const Limits& limits);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    // All functions throw Failure.
    Rendered run(const Body& body);
    int line() const { return line_; }  // of what is being run, for messages

    Value filter(const std::string& name, const Value& value, const Call& call);
    bool test(const std::string& name, const Value& value, const Call& call);
    Budget& budget() { return budget_; }

private:
    enum class Flow { normal, break_loop, continue_loop };
    class Inner;  // a scope within the present one, for as long as it lives

    Flow run_body(const Body& body);
    Flow run_statement(const Stmt& statement);
    Flow run_loop(const Stmt& statement);
    Flow run_choice(const Stmt& statement);
    void run_call_block(const Stmt& statement);
    void run_generation(const Stmt& statement);
    // What the body prints, in a scope of its own.
    MarkedText captured(const Body& body);
    void assign(const Expr& target, const Value& value);
    void print(const MarkedText& text);

    Value evaluate(const Expr& expr);
    Value evaluate_operator(const Expr& expr);
    Value evaluate_compare(const Expr& expr);
    Value evaluate_literal(const Expr& expr);
    Value evaluate_item(const Expr& expr);
    Value apply_filters(const Expr* expr, const Value& value);  // of a block
    Call evaluate_args(const CallArgs& args);
    Value name(const std::string& name);
    Value call(const Value& callee, const Call& call);
    Value call_macro(const Callable& callable, const Call& call);
    Value call_function(const std::string& name, const Call& call);
    Value make_namespace(const Call& call);

    Budget budget_;
    std::shared_ptr<Scope> scope_;
    Rendered rendered_;
    MarkedText* out_;                                     // rendered_.text, or what captures
    std::vector<std::shared_ptr<Namespace>> namespaces_;  // emptied at the end: they may hold each other
    int line_ = 1;
};

}  // namespace craft::jinja
