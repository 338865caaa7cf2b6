#include "text/jinja/parser.h"

#include <algorithm>

#include "text/jinja/expression_parser.h"

namespace craft::jinja {

namespace {

constexpr int kMaxNesting = 60;  // of blocks

using Ends = std::vector<std::string_view>;

class Parser {
public:
    explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)), expressions_(tokens_) {}

    Body run() { return body({}); }

private:
    // Statements up to one of the names in `ends`, which is left as the current token; without any up to the end.
    Body body(const Ends& ends) {
        if (++nesting_ > kMaxNesting)
            throw SyntaxError(tokens_.line(), "blocks nested more than " + std::to_string(kMaxNesting) + " levels deep");
        Body statements;
        while (!tokens_.is(TokenKind::end)) {
            Token token = tokens_.next();
            if (token.kind == TokenKind::text) {
                statements.push_back(made(StmtKind::text, token.line));
                statements.back().value = make_text(std::move(token.value));
            } else if (token.kind == TokenKind::output_begin) {
                statements.push_back(made(StmtKind::output, token.line));
                statements.back().expr = expressions_.tuple();
                tokens_.expect(TokenKind::output_end, "'}}'");
            } else {
                if (std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return tokens_.is_name(end); })) {
                    --nesting_;
                    return statements;
                }
                statements.push_back(statement(ends));
                tokens_.expect(TokenKind::block_end, "'%}'");
            }
        }
        if (!ends.empty()) tokens_.fail_expecting("'" + std::string(ends.back()) + "'");
        --nesting_;
        return statements;
    }

    // What is between a block's tag and its last end tag.
    Body block(const Ends& ends) {
        tokens_.skip_symbol(":");
        tokens_.expect(TokenKind::block_end, "'%}'");
        return body(ends);
    }

    Body whole_block(std::string_view end) {
        Body statements = block({end});
        tokens_.expect_name(end);
        return statements;
    }

    static Stmt made(StmtKind kind, int line) {
        Stmt statement;
        statement.kind = kind;
        statement.line = line;
        return statement;
    }

    Stmt statement(const Ends& ends) {
        const int line = tokens_.line();
        const std::string tag = tokens_.expect_any_name();
        if (tag == "for") return loop(line);
        if (tag == "if") return choice(line);
        if (tag == "set") return set(line);
        if (tag == "macro") return macro(line);
        if (tag == "call") return call_block(line);
        if (tag == "with") return with(line);
        if (tag == "filter") {
            Stmt made_block = made(StmtKind::filter_block, line);
            made_block.expr = expressions_.filters(expressions_.one_filter(nullptr));
            made_block.body = in_function("endfilter");
            return made_block;
        }
        if (tag == "generation") {
            Stmt made_block = made(StmtKind::generation, line);
            made_block.body = in_function("endgeneration");
            return made_block;
        }
        if (tag == "break" || tag == "continue") {
            if (loops_ == 0) throw SyntaxError(line, "'" + tag + "' outside of a loop");
            return made(tag == "break" ? StmtKind::break_loop : StmtKind::continue_loop, line);
        }
        for (const char* known : {"include", "import", "from", "extends", "block", "autoescape", "print", "do", "trans"})
            if (tag == known) throw SyntaxError(line, "the statement '" + tag + "' is not supported");
        throw SyntaxError(
            line, "unknown tag '" + tag + "'" + (ends.empty() ? "" : ", expected '" + std::string(ends.back()) + "'"));
    }

    // A body that a function of its own runs: break and continue do not reach out of it.
    Body in_function(std::string_view end) {
        const int loops = std::exchange(loops_, 0);
        Body statements = whole_block(end);
        loops_ = loops;
        return statements;
    }

    Stmt loop(int line) {
        Stmt made_loop = made(StmtKind::loop, line);
        made_loop.target = expressions_.target(false);
        tokens_.expect_name("in");
        made_loop.expr = expressions_.tuple(/*conditional=*/false);
        if (tokens_.skip_name("if")) made_loop.condition = expressions_.expression();
        if (tokens_.is_name("recursive")) throw SyntaxError(line, "recursive loops are not supported");
        ++loops_;
        made_loop.body = block({"else", "endfor"});
        --loops_;
        if (tokens_.skip_name("else")) made_loop.otherwise = block({"endfor"});
        tokens_.expect_name("endfor");
        return made_loop;
    }

    Stmt choice(int line) {
        Stmt made_choice = made(StmtKind::choice, line);
        do {
            ExprPtr condition = expressions_.tuple(/*conditional=*/false);
            Body then = block({"elif", "else", "endif"});
            made_choice.branches.emplace_back(std::move(condition), std::move(then));
        } while (tokens_.skip_name("elif"));
        if (tokens_.skip_name("else")) made_choice.branches.emplace_back(nullptr, block({"endif"}));
        tokens_.expect_name("endif");
        return made_choice;
    }

    Stmt set(int line) {
        Stmt assignment = made(StmtKind::set, line);
        assignment.target = expressions_.target(true);
        if (tokens_.skip_symbol("=")) {
            assignment.expr = expressions_.tuple();
            return assignment;
        }
        assignment.kind = StmtKind::set_block;
        if (tokens_.is_symbol("|")) assignment.expr = expressions_.filters(nullptr);
        assignment.body = in_function("endset");
        return assignment;
    }

    void signature(Macro& to) {
        tokens_.expect_symbol("(");
        while (!tokens_.is_symbol(")")) {
            if (!to.parameters.empty()) tokens_.expect_symbol(",");
            const int line = tokens_.line();
            to.parameters.push_back(tokens_.expect_any_name());
            if (tokens_.skip_symbol("="))
                to.defaults.push_back(expressions_.expression());
            else if (!to.defaults.empty())
                throw SyntaxError(line, "a parameter without a default after one with a default");
        }
        tokens_.expect_symbol(")");
    }

    void macro_body(Macro& to, std::string_view end) {
        std::set<std::string> outer = expressions_.take_names();
        to.body = in_function(end);
        const std::set<std::string> names = expressions_.take_names();
        to.takes_rest = names.count("varargs") > 0;
        to.takes_named_rest = names.count("kwargs") > 0;
        outer.insert(names.begin(), names.end());
        expressions_.add_names(outer);
    }

    Stmt macro(int line) {
        Stmt definition = made(StmtKind::macro, line);
        definition.macro = std::make_unique<Macro>();
        definition.macro->name = tokens_.expect_any_name();
        signature(*definition.macro);
        macro_body(*definition.macro, "endmacro");
        return definition;
    }

    Stmt call_block(int line) {
        Stmt made_call = made(StmtKind::call_block, line);
        made_call.macro = std::make_unique<Macro>();
        made_call.macro->name = "caller";
        if (tokens_.is_symbol("(")) signature(*made_call.macro);
        made_call.expr = expressions_.expression();
        if (made_call.expr->kind != ExprKind::call) throw SyntaxError(line, "expected a call after 'call'");
        macro_body(*made_call.macro, "endcall");
        return made_call;
    }

    Stmt with(int line) {
        Stmt scope = made(StmtKind::with, line);
        while (!tokens_.is(TokenKind::block_end)) {
            if (!scope.bindings.empty()) tokens_.expect_symbol(",");
            ExprPtr target = expressions_.target(false);
            tokens_.expect_symbol("=");
            scope.bindings.emplace_back(std::move(target), expressions_.expression());
        }
        scope.body = whole_block("endwith");
        return scope;
    }

    TokenStream tokens_;
    ExpressionParser expressions_;
    int nesting_ = 0, loops_ = 0;
};

}  // namespace

Body parse(std::vector<Token> tokens) {
    return Parser(std::move(tokens)).run();
}

}  // namespace craft::jinja
