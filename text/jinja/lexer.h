// Jinja source to tokens, with transformers' settings: trim_blocks and lstrip_blocks on. Inside text/jinja/ only.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace craft::jinja {

enum class TokenKind { text, output_begin, output_end, block_begin, block_end, name, string, whole, real, symbol, end };

struct Token {
    TokenKind kind = TokenKind::end;
    int line = 1;
    std::string value;  // text, a name, a string's value, a symbol
    int64_t whole = 0;
    double real = 0;
};

// A template that cannot be read: what and where; Template makes a craft::Error of it.
class SyntaxError : public std::runtime_error {
public:
    SyntaxError(int at_line, const std::string& what) : std::runtime_error(what), line(at_line) {}
    int line;
};

// `source` must be UTF-8. The last token is `end`. Throws SyntaxError.
std::vector<Token> tokenize(std::string_view source);

// The value of a string literal: Python's escapes, without the quotes. Throws SyntaxError for \N{...} and surrogates.
std::string unescaped(std::string_view literal, int line);

}  // namespace craft::jinja
