// The tokens of a template, read one after the other. Inside text/jinja/ only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/jinja/lexer.h"

namespace craft::jinja {

class TokenStream {
public:
    explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    const Token& current() const { return tokens_[at_]; }
    const Token& ahead() const { return tokens_[at_ + 1 < tokens_.size() ? at_ + 1 : at_]; }
    int line() const { return current().line; }
    Token next() { return at_ + 1 < tokens_.size() ? std::move(tokens_[at_++]) : tokens_[at_]; }

    bool is(TokenKind kind) const { return current().kind == kind; }
    bool is_symbol(std::string_view symbol) const { return is(TokenKind::symbol) && current().value == symbol; }
    bool is_name(std::string_view name) const { return is(TokenKind::name) && current().value == name; }
    bool skip_symbol(std::string_view symbol) { return is_symbol(symbol) && (++at_, true); }
    bool skip_name(std::string_view name) { return is_name(name) && (++at_, true); }

    void expect_symbol(std::string_view symbol) {
        if (!skip_symbol(symbol)) fail_expecting("'" + std::string(symbol) + "'");
    }
    void expect_name(std::string_view name) {
        if (!skip_name(name)) fail_expecting("'" + std::string(name) + "'");
    }
    std::string expect_any_name() {
        if (!is(TokenKind::name)) fail_expecting("a name");
        return next().value;
    }
    void expect(TokenKind kind, const std::string& described) {
        if (!is(kind)) fail_expecting(described);
        next();
    }

    [[noreturn]] void fail_expecting(const std::string& expected) const {
        throw SyntaxError(line(), "expected " + expected + ", got " + described());
    }
    // The current token, for messages.
    std::string described() const {
        switch (current().kind) {
            case TokenKind::name:
            case TokenKind::symbol:
                return "'" + current().value + "'";
            case TokenKind::string:
                return "a string";
            case TokenKind::whole:
            case TokenKind::real:
                return "a number";
            case TokenKind::text:
                return "text";
            case TokenKind::output_begin:
                return "'{{'";
            case TokenKind::output_end:
                return "'}}'";
            case TokenKind::block_begin:
                return "'{%'";
            case TokenKind::block_end:
                return "'%}'";
            case TokenKind::end:
                break;
        }
        return "the end of the template";
    }

private:
    std::vector<Token> tokens_;
    size_t at_ = 0;
};

}  // namespace craft::jinja
