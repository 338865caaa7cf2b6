#include "text/jinja/expression_parser.h"

#include <algorithm>
#include <array>

namespace craft::jinja {

namespace {

// Deeper trees are refused: reading, evaluating and freeing them recurses.
constexpr int kMaxDepth = 150;

int depth_of(const ExprPtr& part) {
    return part ? part->depth : 0;
}

ExprPtr first_of(std::vector<ExprPtr>& parts) {
    return std::move(parts.front());
}

}  // namespace

ExprPtr ExpressionParser::make(ExprKind kind, int line, std::vector<ExprPtr> parts, std::string name) {
    auto made = std::make_unique<Expr>();
    made->kind = kind;
    made->line = line;
    made->name = std::move(name);
    made->parts = std::move(parts);
    for (const ExprPtr& part : made->parts) made->depth = std::max(made->depth, depth_of(part) + 1);
    if (made->depth > kMaxDepth)
        throw SyntaxError(line, "an expression of more than " + std::to_string(kMaxDepth) + " levels");
    return made;
}

// Parts of a braced initialiser cannot be moved out of it.
template <class... Parts>
std::vector<ExprPtr> parts_of(Parts... parts) {
    std::vector<ExprPtr> all;
    (all.push_back(std::move(parts)), ...);
    return all;
}

bool ExpressionParser::at_tuple_end() const {
    return tokens_.is(TokenKind::output_end) || tokens_.is(TokenKind::block_end) || tokens_.is_symbol(")");
}

ExprPtr ExpressionParser::tuple(bool conditional) {
    const int line = tokens_.line();
    std::vector<ExprPtr> parts = parts_of(expression(conditional));
    if (!tokens_.is_symbol(",")) return first_of(parts);
    while (tokens_.skip_symbol(",") && !at_tuple_end() && !tokens_.is_name("recursive"))
        parts.push_back(expression(conditional));
    return make(ExprKind::tuple, line, std::move(parts));
}

ExprPtr ExpressionParser::target(bool with_member) {
    const int line = tokens_.line();
    std::vector<ExprPtr> parts;
    do {
        if (!parts.empty() && (tokens_.is_name("in") || tokens_.is_symbol("=") || at_tuple_end())) break;
        const int at = tokens_.line();
        const std::string name = tokens_.expect_any_name();
        for (const char* reserved : {"true", "false", "none", "True", "False", "None"})
            if (name == reserved) throw SyntaxError(at, "cannot assign to '" + name + "'");
        parts.push_back(make(ExprKind::name, at, {}, name));
        if (!with_member || !tokens_.skip_symbol(".")) continue;
        parts.back()->kind = ExprKind::member;
        parts.back()->operators.push_back(tokens_.expect_any_name());
    } while (tokens_.is_symbol(",") && (tokens_.next(), true));
    if (parts.size() == 1) return first_of(parts);
    return make(ExprKind::tuple, line, std::move(parts));
}

ExprPtr ExpressionParser::expression(bool conditional) {
    if (++nesting_ > kMaxDepth)
        throw SyntaxError(tokens_.line(), "expressions nested more than " + std::to_string(kMaxDepth) + " levels deep");
    const int line = tokens_.line();
    ExprPtr value = logical_or();
    while (conditional && tokens_.skip_name("if")) {
        ExprPtr condition = logical_or();
        ExprPtr otherwise = tokens_.skip_name("else") ? expression() : nullptr;
        value = make(ExprKind::conditional, line, parts_of(std::move(value), std::move(condition), std::move(otherwise)));
    }
    --nesting_;
    return value;
}

ExprPtr ExpressionParser::logical_or() {
    ExprPtr left = logical_and();
    while (tokens_.is_name("or")) {
        const int line = tokens_.next().line;
        ExprPtr right = logical_and();
        left = make(ExprKind::logical_or, line, parts_of(std::move(left), std::move(right)));
    }
    return left;
}

ExprPtr ExpressionParser::logical_and() {
    ExprPtr left = logical_not();
    while (tokens_.is_name("and")) {
        const int line = tokens_.next().line;
        ExprPtr right = logical_not();
        left = make(ExprKind::logical_and, line, parts_of(std::move(left), std::move(right)));
    }
    return left;
}

ExprPtr ExpressionParser::logical_not() {
    std::vector<int> lines;
    while (tokens_.is_name("not")) lines.push_back(tokens_.next().line);
    ExprPtr value = compare();
    for (; !lines.empty(); lines.pop_back()) value = make(ExprKind::logical_not, lines.back(), parts_of(std::move(value)));
    return value;
}

ExprPtr ExpressionParser::compare() {
    static constexpr std::array<std::string_view, 6> kOperators = {"==", "!=", ">", ">=", "<", "<="};
    const int line = tokens_.line();
    std::vector<ExprPtr> parts = parts_of(sum());
    std::vector<std::string> operators;
    for (;;) {
        const bool known = tokens_.is(TokenKind::symbol) &&
                           std::find(kOperators.begin(), kOperators.end(), tokens_.current().value) != kOperators.end();
        if (known) {
            operators.push_back(tokens_.next().value);
        } else if (tokens_.skip_name("in")) {
            operators.emplace_back("in");
        } else if (tokens_.is_name("not") && tokens_.ahead().kind == TokenKind::name && tokens_.ahead().value == "in") {
            tokens_.next();
            tokens_.next();
            operators.emplace_back("not in");
        } else {
            break;
        }
        parts.push_back(sum());
    }
    if (operators.empty()) return first_of(parts);
    ExprPtr made = make(ExprKind::compare, line, std::move(parts));
    made->operators = std::move(operators);
    return made;
}

ExprPtr ExpressionParser::sum() {
    ExprPtr left = concat();
    while (tokens_.is_symbol("+") || tokens_.is_symbol("-")) {
        Token symbol = tokens_.next();
        ExprPtr right = concat();
        left = make(ExprKind::binary, symbol.line, parts_of(std::move(left), std::move(right)), std::move(symbol.value));
    }
    return left;
}

ExprPtr ExpressionParser::concat() {
    const int line = tokens_.line();
    std::vector<ExprPtr> parts = parts_of(product());
    while (tokens_.skip_symbol("~")) parts.push_back(product());
    if (parts.size() == 1) return first_of(parts);
    return make(ExprKind::concat, line, std::move(parts));
}

ExprPtr ExpressionParser::product() {
    ExprPtr left = power();
    while (tokens_.is_symbol("*") || tokens_.is_symbol("/") || tokens_.is_symbol("//") || tokens_.is_symbol("%")) {
        Token symbol = tokens_.next();
        ExprPtr right = power();
        left = make(ExprKind::binary, symbol.line, parts_of(std::move(left), std::move(right)), std::move(symbol.value));
    }
    return left;
}

ExprPtr ExpressionParser::power() {
    ExprPtr left = unary(true);
    while (tokens_.is_symbol("**")) {
        Token symbol = tokens_.next();
        ExprPtr right = unary(true);
        left = make(ExprKind::binary, symbol.line, parts_of(std::move(left), std::move(right)), std::move(symbol.value));
    }
    return left;
}

ExprPtr ExpressionParser::unary(bool with_filter) {
    ExprPtr value;
    if (tokens_.is_symbol("-") || tokens_.is_symbol("+")) {
        if (++nesting_ > kMaxDepth) throw SyntaxError(tokens_.line(), "too many signs");
        const Token sign = tokens_.next();
        value = unary(false);
        --nesting_;
        value = make(sign.value == "-" ? ExprKind::negative : ExprKind::positive, sign.line, parts_of(std::move(value)));
    } else {
        value = primary();
    }
    value = postfix(std::move(value));
    return with_filter ? filters_and_tests(std::move(value)) : std::move(value);
}

ExprPtr ExpressionParser::primary() {
    const int line = tokens_.line();
    const auto constant = [&](Value value) {
        ExprPtr made = make(ExprKind::constant, line);
        made->value = std::move(value);
        return made;
    };
    switch (tokens_.current().kind) {
        case TokenKind::name: {
            const std::string name = tokens_.next().value;
            if (name == "true" || name == "True") return constant(true);
            if (name == "false" || name == "False") return constant(false);
            if (name == "none" || name == "None") return constant(None{});
            names_.insert(name);
            return make(ExprKind::name, line, {}, name);
        }
        case TokenKind::string: {
            std::string text;
            while (tokens_.is(TokenKind::string)) text += tokens_.next().value;
            return constant(make_text(std::move(text)));
        }
        case TokenKind::whole:
            return constant(tokens_.next().whole);
        case TokenKind::real:
            return constant(tokens_.next().real);
        default:
            break;
    }
    if (tokens_.skip_symbol("(")) return parenthesised();
    if (tokens_.is_symbol("[") || tokens_.is_symbol("{")) return list_or_dict();
    tokens_.fail_expecting("an expression");
}

ExprPtr ExpressionParser::parenthesised() {
    const int line = tokens_.line();
    if (tokens_.skip_symbol(")")) return make(ExprKind::tuple, line);
    ExprPtr value = tuple();
    tokens_.expect_symbol(")");
    return value;
}

ExprPtr ExpressionParser::list_or_dict() {
    const int line = tokens_.line();
    const bool dict = tokens_.next().value == "{";
    const std::string_view closing = dict ? "}" : "]";
    std::vector<ExprPtr> parts;
    while (!tokens_.is_symbol(closing)) {
        if (!parts.empty()) tokens_.expect_symbol(",");
        if (tokens_.is_symbol(closing)) break;
        parts.push_back(expression());
        if (!dict) continue;
        tokens_.expect_symbol(":");
        parts.push_back(expression());
    }
    tokens_.expect_symbol(closing);
    return make(dict ? ExprKind::dict : ExprKind::list, line, std::move(parts));
}

ExprPtr ExpressionParser::postfix(ExprPtr of) {
    for (;;) {
        if (tokens_.is_symbol(".") || tokens_.is_symbol("["))
            of = subscript(std::move(of));
        else if (tokens_.is_symbol("("))
            of = call(std::move(of));
        else
            return of;
    }
}

ExprPtr ExpressionParser::subscript(ExprPtr of) {
    const int line = tokens_.line();
    if (tokens_.next().value == ".") {
        if (tokens_.is(TokenKind::whole)) {
            ExprPtr index = make(ExprKind::constant, line);
            index->value = tokens_.next().whole;
            return make(ExprKind::item, line, parts_of(std::move(of), std::move(index)));
        }
        return make(ExprKind::attribute, line, parts_of(std::move(of)), tokens_.expect_any_name());
    }
    ExprPtr index = subscript_part();
    if (tokens_.is_symbol(",")) throw SyntaxError(line, "a subscript of several parts is not supported");
    tokens_.expect_symbol("]");
    return make(ExprKind::item, line, parts_of(std::move(of), std::move(index)));
}

ExprPtr ExpressionParser::subscript_part() {
    const int line = tokens_.line();
    std::vector<ExprPtr> parts(3);
    const auto ends = [&] { return tokens_.is_symbol("]") || tokens_.is_symbol(",") || tokens_.is_symbol(":"); };
    if (!tokens_.is_symbol(":")) {
        parts[0] = expression();
        if (!tokens_.is_symbol(":")) return first_of(parts);
    }
    tokens_.expect_symbol(":");
    if (!ends()) parts[1] = expression();
    if (tokens_.skip_symbol(":") && !ends()) parts[2] = expression();
    return make(ExprKind::slice, line, std::move(parts));
}

ExprPtr ExpressionParser::filters_and_tests(ExprPtr of) {
    for (;;) {
        if (tokens_.is_symbol("|"))
            of = filters(std::move(of));
        else if (tokens_.is_name("is"))
            of = test(std::move(of));
        else if (tokens_.is_symbol("("))
            of = call(std::move(of));
        else
            return of;
    }
}

ExprPtr ExpressionParser::filters(ExprPtr in) {
    while (tokens_.skip_symbol("|")) in = one_filter(std::move(in));
    return in;
}

ExprPtr ExpressionParser::one_filter(ExprPtr in) {
    const int line = tokens_.line();
    std::string name = tokens_.expect_any_name();
    while (tokens_.skip_symbol(".")) name += "." + tokens_.expect_any_name();
    ExprPtr made = make(ExprKind::filter, line, parts_of(std::move(in)), std::move(name));
    if (tokens_.is_symbol("(")) made->args = call_args();
    return made;
}

ExprPtr ExpressionParser::test(ExprPtr of) {
    const int line = tokens_.next().line;
    const bool negated = tokens_.skip_name("not");
    std::string name = tokens_.expect_any_name();
    while (tokens_.skip_symbol(".")) name += "." + tokens_.expect_any_name();
    ExprPtr made = make(ExprKind::test, line, parts_of(std::move(of)), std::move(name));
    const bool value_follows = tokens_.is(TokenKind::name) || tokens_.is(TokenKind::string) ||
                               tokens_.is(TokenKind::whole) || tokens_.is(TokenKind::real) || tokens_.is_symbol("[") ||
                               tokens_.is_symbol("{");
    if (tokens_.is_symbol("(")) {
        made->args = call_args();
    } else if (value_follows && !tokens_.is_name("else") && !tokens_.is_name("or") && !tokens_.is_name("and")) {
        if (tokens_.is_name("is")) throw SyntaxError(tokens_.line(), "tests cannot be chained with is");
        made->args.positional.push_back(postfix(primary()));
    }
    return negated ? make(ExprKind::logical_not, line, parts_of(std::move(made))) : std::move(made);
}

ExprPtr ExpressionParser::call(ExprPtr of) {
    const int line = tokens_.line();
    ExprPtr made = make(ExprKind::call, line, parts_of(std::move(of)));
    made->args = call_args();
    return made;
}

CallArgs ExpressionParser::call_args() {
    const int line = tokens_.line();
    tokens_.expect_symbol("(");
    CallArgs args;
    const auto require = [&](bool holds) {
        if (!holds) throw SyntaxError(line, "arguments of a call in an order that is not allowed");
    };
    for (bool first = true; !tokens_.is_symbol(")"); first = false) {
        if (!first) tokens_.expect_symbol(",");
        if (!first && tokens_.is_symbol(")")) break;
        if (tokens_.skip_symbol("*")) {
            require(!args.rest && !args.named_rest);
            args.rest = expression();
        } else if (tokens_.skip_symbol("**")) {
            require(!args.named_rest);
            args.named_rest = expression();
        } else if (tokens_.is(TokenKind::name) && tokens_.ahead().kind == TokenKind::symbol &&
                   tokens_.ahead().value == "=") {
            require(!args.named_rest);
            std::string name = tokens_.next().value;
            tokens_.next();
            args.named.emplace_back(std::move(name), expression());
        } else {
            require(!args.rest && !args.named_rest && args.named.empty());
            args.positional.push_back(expression());
        }
    }
    tokens_.expect_symbol(")");
    return args;
}

}  // namespace craft::jinja
