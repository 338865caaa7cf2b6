#include "text/jinja/lexer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "text/code_points.h"
#include "text/jinja/characters.h"

namespace craft::jinja {

namespace {

// Newlines of all kinds as \n; one newline at the end is dropped.
std::string normalised(std::string_view source) {
    std::string text;
    text.reserve(source.size());
    for (size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '\r') {
            text += '\n';
            if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
        } else {
            text += source[i];
        }
    }
    if (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

class Lexer {
public:
    explicit Lexer(std::string_view source) : text_(normalised(source)) {}

    std::vector<Token> run() {
        while (at_ < text_.size()) literal();
        add(TokenKind::end, "");
        return std::move(tokens_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw SyntaxError(line_, what); }

    bool starts(size_t at, std::string_view with) const { return std::string_view(text_).substr(at, with.size()) == with; }

    void add(TokenKind kind, std::string value) { tokens_.push_back({kind, line_, std::move(value), 0, 0}); }

    void go_to(size_t end) {
        line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                             text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        if (end > at_) line_starting_ = text_[end - 1] == '\n';
        at_ = end;
    }

    size_t after_spaces(size_t at) const {
        while (at < text_.size() && is_space(code_point_at(text_, at).value)) at = next_character(text_, at);
        return at;
    }

    // "-", "+" or "" at `at`.
    char sign_at(size_t at) const { return at < text_.size() && (text_[at] == '-' || text_[at] == '+') ? text_[at] : '\0'; }

    // If a tag ends at `at` with `closing`: the byte after it and what it trims; 0 otherwise.
    size_t after_end(size_t at, std::string_view closing, bool block) const {
        if (starts(at, "-") && starts(at + 1, closing)) return after_spaces(at + 1 + closing.size());
        if (block && starts(at, "+") && starts(at + 1, closing)) return at + 1 + closing.size();
        if (!starts(at, closing)) return 0;
        const size_t end = at + closing.size();
        return block && starts(end, "\n") ? end + 1 : end;
    }

    // {% raw %}: the byte after it, 0 if there is none at `at`.
    size_t after_raw(size_t at, std::string_view word) const {
        if (!starts(at, "{%")) return 0;
        size_t end = at + 2;
        if (sign_at(end) != '\0') ++end;
        end = after_spaces(end);
        if (!starts(end, word)) return 0;
        end = after_spaces(end + word.size());
        if (word == "endraw") return after_end(end, "%}", true);
        if (starts(end, "-%}")) return after_spaces(end + 3);
        return starts(end, "%}") ? end + 2 : 0;
    }

    // Literal text [at_, end) in front of a tag with this sign.
    void add_text(size_t end, char sign, bool strips_line) {
        std::string_view part = std::string_view(text_).substr(at_, end - at_);
        if (sign == '-') {
            part = part.substr(0, stripped(part, Strip::right).second);
        } else if (sign != '+' && strips_line) {
            const size_t newline = part.rfind('\n');
            const size_t begin = newline == part.npos ? 0 : newline + 1;
            if ((begin > 0 || line_starting_) && is_space_text(part.substr(begin))) part = part.substr(0, begin);
        }
        if (!part.empty()) add(TokenKind::text, std::string(part));
        go_to(end);
    }

    void literal() {
        size_t tag = at_;
        while ((tag = text_.find('{', tag)) != std::string::npos) {
            if (tag + 1 < text_.size() && (text_[tag + 1] == '{' || text_[tag + 1] == '%' || text_[tag + 1] == '#')) break;
            ++tag;
        }
        if (tag == std::string::npos) {
            add_text(text_.size(), '+', false);
            return;
        }
        const char kind = text_[tag + 1], sign = sign_at(tag + 2);
        add_text(tag, sign, kind != '{');
        if (const size_t end = after_raw(tag, "raw"); end > 0) return raw(end);
        if (kind == '#') return comment(tag + (sign != '\0' ? 3 : 2));
        add(kind == '{' ? TokenKind::output_begin : TokenKind::block_begin, "");
        go_to(tag + (sign != '\0' ? 3 : 2));
        inside(kind == '%');
    }

    void raw(size_t begin) {
        go_to(begin);
        for (size_t end = text_.find("{%", at_); end != std::string::npos; end = text_.find("{%", end + 1))
            if (const size_t behind = after_raw(end, "endraw"); behind > 0) {
                add_text(end, sign_at(end + 2), true);
                return go_to(behind);
            }
        fail("missing end of raw directive");
    }

    void comment(size_t begin) {
        const size_t end = text_.find("#}", begin);
        if (end == std::string::npos) fail("missing end of comment tag");
        const bool with_sign = end > begin && sign_at(end - 1) != '\0';
        go_to(after_end(with_sign ? end - 1 : end, "#}", true));
    }

    void inside(bool block) {
        std::vector<char> open;
        for (;;) {
            if (open.empty())
                if (const size_t end = after_end(at_, block ? "%}" : "}}", block); end > 0) {
                    add(block ? TokenKind::block_end : TokenKind::output_end, "");
                    return go_to(end);
                }
            if (at_ >= text_.size()) fail("unexpected end of template inside a tag");
            if (const size_t end = after_spaces(at_); end > at_)
                go_to(end);
            else if (is_digit(text_[at_]))
                number();
            else if (text_[at_] == '\'' || text_[at_] == '"')
                string();
            else if (const size_t name = after_name(); name > at_)
                add(TokenKind::name, text_.substr(at_, name - at_)), go_to(name);
            else
                symbol(open);
        }
    }

    size_t after_name() const {
        size_t end = at_;
        while (end < text_.size() && is_word_character(code_point_at(text_, end).value)) end = next_character(text_, end);
        return end;
    }

    // Digits that single underscores may part.
    size_t after_digits(size_t at) const {
        while (at < text_.size() &&
               (is_digit(text_[at]) || (text_[at] == '_' && at + 1 < text_.size() && is_digit(text_[at + 1]))))
            ++at;
        return at;
    }

    void number() {
        size_t end = after_digits(at_);
        bool real = false;
        if (at_ == 0 || text_[at_ - 1] != '.') {
            size_t fraction = end;
            if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) fraction = after_digits(end + 1);
            size_t exponent = fraction;
            if (starts(exponent, "e") || starts(exponent, "E")) {
                ++exponent;
                if (sign_at(exponent) != '\0') ++exponent;
                if (exponent < text_.size() && is_digit(text_[exponent])) fraction = after_digits(exponent);
            }
            real = fraction > end;
            end = fraction;
        }
        std::string digits = text_.substr(at_, end - at_);
        std::erase(digits, '_');
        if (!real && digits.size() > 1 && digits.find_first_not_of('0') != std::string::npos && digits[0] == '0')
            fail("a number that starts with 0");
        if (digits == "0" && end < text_.size() && std::string_view("xXoObB").find(text_[end]) != std::string_view::npos)
            fail("numbers in base 2, 8 and 16 are not supported");
        add(real ? TokenKind::real : TokenKind::whole, digits);
        if (real) tokens_.back().real = std::strtod(digits.c_str(), nullptr);
        errno = 0;
        if (!real) tokens_.back().whole = std::strtoll(digits.c_str(), nullptr, 10);
        if (!real && errno != 0) fail("the number " + digits.substr(0, 40) + " does not fit 64 bits");
        go_to(end);
    }

    void string() {
        size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != text_[at_]) end += text_[end] == '\\' ? 2 : 1;
        if (end >= text_.size()) fail("a string without its closing quote");
        add(TokenKind::string, unescaped(std::string_view(text_).substr(at_ + 1, end - at_ - 1), line_));
        go_to(end + 1);
    }

    void symbol(std::vector<char>& open) {
        static constexpr std::array<std::string_view, 26> kSymbols = {"//", "**", "==", "!=", ">=", "<=", "+", "-", "/",
                                                                      "*",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                                                      ">",  "<",  "=",  ".",  ":",  "|",  ",", ";"};
        const auto found =
            std::find_if(kSymbols.begin(), kSymbols.end(), [&](std::string_view s) { return starts(at_, s); });
        if (found == kSymbols.end())
            fail("unexpected character '" + text_.substr(at_, next_character(text_, at_) - at_) + "'");
        const char c = found->front();
        if (c == '(' || c == '[' || c == '{') open.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
        if (c == ')' || c == ']' || c == '}') {
            if (open.empty() || open.back() != c) fail(std::string("unexpected '") + c + "'");
            open.pop_back();
        }
        add(TokenKind::symbol, std::string(*found));
        go_to(at_ + found->size());
    }

    std::string text_;
    size_t at_ = 0;
    int line_ = 1;
    bool line_starting_ = true;  // what was read last ended with a newline
    std::vector<Token> tokens_;
};

// The value of `digits` hexadecimal or octal digits; -1 if they are not there.
int64_t digits_at(std::string_view text, size_t at, size_t digits, int base) {
    if (at + digits > text.size()) return -1;
    int64_t value = 0;
    for (const char c : text.substr(at, digits)) {
        const int digit = is_digit(c)            ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : 99;
        if (digit >= base) return -1;
        value = value * base + digit;
    }
    return value;
}

}  // namespace

std::string unescaped(std::string_view literal, int line) {
    static constexpr std::string_view kNames = "\\'\"abfnrtv", kValues = "\\'\"\a\b\f\n\r\t\v";
    std::string out;
    for (size_t i = 0; i < literal.size();) {
        if (literal[i] != '\\' || i + 1 >= literal.size()) {
            out += literal[i++];
            continue;
        }
        const char c = literal[i + 1];
        if (const size_t known = kNames.find(c); known != kNames.npos) {
            out += kValues[known];
            i += 2;
        } else if (c == '\n') {
            i += 2;
        } else if (c >= '0' && c <= '7') {
            size_t digits = 1;
            while (digits < 3 && digits_at(literal, i + 1, digits + 1, 8) >= 0) ++digits;
            append_utf8(out, static_cast<char32_t>(digits_at(literal, i + 1, digits, 8)));
            i += 1 + digits;
        } else if (c == 'x' || c == 'u' || c == 'U') {
            const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
            const int64_t value = digits_at(literal, i + 2, digits, 16);
            if (value < 0 || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
                throw SyntaxError(line, std::string("the escape \\") + c + " in a string without a character's digits");
            append_utf8(out, static_cast<char32_t>(value));
            i += 2 + digits;
        } else if (c == 'N') {
            throw SyntaxError(line, "the escape \\N in a string is not supported");
        } else {
            out += '\\';  // other escapes stay as they are
            ++i;
        }
    }
    return out;
}

std::vector<Token> tokenize(std::string_view source) {
    return Lexer(source).run();
}

}  // namespace craft::jinja
