#include "tools/call_syntax.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/utf8.h"
#include "text/code_points.h"
#include "tools/call_characters.h"

namespace craft {

namespace {

struct Malformed {
    std::string problem;
};

// Works with exceptions inside, so that every rule reads as it is written in the grammar; read_call catches them.
class Reader {
public:
    Reader(std::string_view text, size_t at) : text_(text), at_(at) {}
    size_t at() const { return at_; }
    bool single_quotes() const { return single_quotes_; }

    void read(RawCall& call) {
        const std::string_view written = written_name_at(text_, at_);
        if (written.empty()) fail("a tool's name");
        call.name = written;
        at_ += written.size();
        skip_space();
        expect('(', "(");
        skip_gap();
        while (!take(')')) {
            call.arguments.push_back(argument());
            skip_gap();
            if (take(',')) {  // a trailing comma is Python's
                skip_gap();
                continue;
            }
            expect(')', ", or )");
            break;
        }
    }

private:
    bool done() const { return at_ == text_.size(); }
    char peek() const { return done() ? '\0' : text_[at_]; }
    bool take(char c) {
        if (done() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void skip_space() {
        while (!done()) {
            const CodePoint next = code_point_at(text_, at_);
            if (!is_space(next.value)) return;
            at_ += next.bytes;
        }
    }
    // Between tokens inside the parentheses: a call over several lines may hold comments.
    void skip_gap() {
        skip_space();
        while (peek() == '#') {
            at_ = std::min(text_.find('\n', at_), text_.size());
            skip_space();
        }
    }
    [[noreturn]] void fail(const std::string& expected) const {
        const std::string_view rest = text_.substr(at_, text_.substr(at_).find('\n'));
        throw Malformed{"expected " + expected + ", got " + (rest.empty() ? "the end" : "'" + shortened(rest, 20) + "'")};
    }
    // Where a name should not have stood, it is not read: a call of its own may begin there.
    [[noreturn]] void fail_at(size_t begin, const std::string& problem) {
        at_ = begin;
        throw Malformed{problem};
    }
    void expect(char c, const std::string& what) {
        if (!take(c)) fail(what);
    }
    std::string name() {
        const std::string_view found = call_name_at(text_, at_);
        if (found.empty()) fail("a tool's name");
        at_ += found.size();
        return std::string(found);
    }

    RawArgument argument() {
        RawArgument read;
        if (starts_name(peek())) {
            const size_t begin = at_;
            const std::string word = name();
            if (auto constant = constant_named(word)) return {"", *constant};
            skip_gap();
            if (peek() == '(') fail_at(begin, "a call inside a call: '" + shortened(word, 20) + "('");
            if (!take('='))
                fail_at(begin, "expected a number, a quoted string or a list, got '" + shortened(word, 20) + "'");
            skip_gap();
            read.keyword = word;
            if (starts_name(peek())) {
                const size_t value_begin = at_;
                const std::string value = name();
                auto constant = constant_named(value);
                if (!constant)
                    fail_at(value_begin, "expected a value after " + word + "=, got '" + shortened(value, 20) + "'");
                read.value = *constant;
                return read;
            }
        }
        if (take('[')) {
            read.value = list();
        } else {
            std::visit([&](auto&& item) { read.value = std::forward<decltype(item)>(item); }, scalar());
        }
        return read;
    }

    static std::optional<OtherLiteral> constant_named(const std::string& word) {
        if (word == "True" || word == "False" || word == "None") return OtherLiteral{word};
        return std::nullopt;
    }

    std::vector<ListItem> list() {
        std::vector<ListItem> items;
        skip_gap();
        while (!take(']')) {
            items.push_back(scalar());
            skip_gap();
            if (take(',')) {
                skip_gap();
                continue;
            }
            expect(']', ", or ]");
            break;
        }
        return items;
    }

    ListItem scalar() {
        const char c = peek();
        if (c == '"' || c == '\'') return string();
        const bool signed_number = (c == '-' || c == '+') && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
        if (is_digit(c) || signed_number) return number();
        fail("a number, a quoted string or a list");
    }

    // What starts like a number: digits, letters, underscores and points up to the next other character.
    ListItem number() {
        const size_t begin = at_++;
        while (!done() && (is_digit(peek()) || starts_name(peek()) || peek() == '.')) ++at_;
        const std::string_view written = text_.substr(begin, at_ - begin);
        int64_t value = 0;
        const auto [end, problem] = std::from_chars(written.data(), written.data() + written.size(), value);
        const bool whole = problem == std::errc() && end == written.data() + written.size();
        const bool leading_zero = written.size() > 1 && written[0] == '0';
        if (!whole || leading_zero || written[0] == '-') return OtherLiteral{std::string(written)};
        return value;
    }

    std::string string() {
        const char quote = text_[at_++];
        single_quotes_ = single_quotes_ || quote == '\'';
        std::string out;
        while (true) {
            if (done() || peek() == '\n') throw Malformed{std::string("a string without its closing ") + quote};
            const char c = text_[at_++];
            if (c == quote) return out;
            if (c == '\\') {
                append_escape(out);
            } else {
                out.push_back(c);
            }
        }
    }

    // Python's: an unknown escape stays as it is, backslash and all.
    void append_escape(std::string& out) {
        switch (peek()) {
            case '"':
            case '\'':
            case '\\':
                out.push_back(peek());
                break;
            case 'n':
                out.push_back('\n');
                break;
            case 'r':
                out.push_back('\r');
                break;
            case 't':
                out.push_back('\t');
                break;
            case 'u':
                append_code_point(out, 4);
                return;
            case 'U':
                append_code_point(out, 8);
                return;
            case 'x':
                append_code_point(out, 2);
                return;
            default:
                out.push_back('\\');
                return;
        }
        ++at_;
    }

    // The number written in exactly this many hexadecimal digits at `at`.
    std::optional<uint32_t> hexadecimal(size_t at, size_t count) const {
        uint32_t value = 0;
        const std::string_view digits = text_.substr(std::min(at, text_.size()), count);
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        if (digits.size() != count || problem != std::errc() || end != digits.data() + count) return std::nullopt;
        return value;
    }

    // \uXXXX, \UXXXXXXXX and \xXX, at the letter. Two surrogates are the one character that JSON writes so; a lone one is no
    // escape.
    void append_code_point(std::string& out, size_t digits) {
        auto value = hexadecimal(at_ + 1, digits);
        size_t used = 1 + digits;
        if (value && *value >= 0xD800 && *value < 0xDC00 && text_.substr(at_ + used, 2) == "\\u") {
            const auto low = hexadecimal(at_ + used + 2, 4);
            if (low && *low >= 0xDC00 && *low < 0xE000) {
                value = 0x10000 + ((*value - 0xD800) << 10) + (*low - 0xDC00);
                used += 6;
            }
        }
        if (!value || *value > 0x10FFFF || (*value >= 0xD800 && *value < 0xE000)) {
            out.push_back('\\');
            return;
        }
        append_utf8(out, *value);
        at_ += used;
    }

    std::string_view text_;
    size_t at_;
    bool single_quotes_ = false;
};

}  // namespace

std::string_view call_name_at(std::string_view text, size_t at) {
    size_t end = at;
    while (end < text.size()) {
        const bool inside =
            end > at && (is_digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && starts_name(text[end + 1])));
        if (!inside && !starts_name(text[end])) break;
        ++end;
    }
    return text.substr(at, end - at);
}

std::string_view written_name_at(std::string_view text, size_t at) {
    const auto word_at = [&](size_t i) { return i < text.size() && is_word_character(code_point_at(text, i).value); };
    if (!word_at(at) || is_decimal_digit(code_point_at(text, at).value)) return "";
    size_t end = at;
    while (word_at(end) || (end < text.size() && (text[end] == '-' || text[end] == '.') && word_at(end + 1) &&
                            !is_decimal_digit(code_point_at(text, end + 1).value)))
        end += code_point_at(text, end).bytes;
    return text.substr(at, end - at);
}

CallReading read_call(std::string_view text, size_t at) {
    CallReading reading;
    Reader reader(text, at);
    try {
        reader.read(reading.call);
    } catch (const Malformed& malformed) {
        reading.problem = malformed.problem;
    }
    reading.single_quotes = reader.single_quotes();
    reading.end = reader.at();
    return reading;
}

}  // namespace craft
