// Expressions from tokens, with Jinja's grammar. Inside text/jinja/ only.
#pragma once

#include <set>
#include <string>

#include "text/jinja/ast.h"
#include "text/jinja/token_stream.h"

namespace craft::jinja {

// All functions throw SyntaxError.
class ExpressionParser {
public:
    explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}

    // One expression or, with commas, a tuple; without `conditional` an `if` ends it (for ... in x if ...).
    ExprPtr tuple(bool conditional = true);
    ExprPtr expression(bool conditional = true);
    // A name, `namespace.name` where allowed, or a tuple of names.
    ExprPtr target(bool with_member);
    // | filter | filter, after `in` (which may be null).
    ExprPtr filters(ExprPtr in);
    ExprPtr one_filter(ExprPtr in);  // without its bar

    // Names that were read since the last call: what a macro's body refers to.
    std::set<std::string> take_names() { return std::exchange(names_, {}); }
    void add_names(const std::set<std::string>& names) { names_.insert(names.begin(), names.end()); }

private:
    ExprPtr make(ExprKind kind, int line, std::vector<ExprPtr> parts = {}, std::string name = "");
    ExprPtr logical_or();
    ExprPtr logical_and();
    ExprPtr logical_not();
    ExprPtr compare();
    ExprPtr sum();
    ExprPtr concat();
    ExprPtr product();
    ExprPtr power();
    ExprPtr unary(bool with_filter);
    ExprPtr primary();
    ExprPtr parenthesised();
    ExprPtr list_or_dict();
    ExprPtr postfix(ExprPtr of);
    ExprPtr subscript(ExprPtr of);
    ExprPtr subscript_part();
    ExprPtr filters_and_tests(ExprPtr of);
    ExprPtr test(ExprPtr of);
    ExprPtr call(ExprPtr of);
    CallArgs call_args();
    bool at_tuple_end() const;

    TokenStream& tokens_;
    int nesting_ = 0;
    std::set<std::string> names_;
};

}  // namespace craft::jinja
