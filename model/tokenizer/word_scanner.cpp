#include "model/tokenizer/word_scanner.h"

#include <array>
#include <cstdint>

namespace craft {

namespace {

enum Kind : uint8_t { other, letter, digit, space, newline, beyond };  // `space` without \r and \n; `beyond` ASCII

constexpr std::array<Kind, 256> kinds() {
    std::array<Kind, 256> table = {};
    for (size_t c = 0; c < 256; ++c) {
        if (c >= 0x80)
            table[c] = beyond;
        else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            table[c] = letter;
        else if (c >= '0' && c <= '9')
            table[c] = digit;
        else if (c == '\r' || c == '\n')
            table[c] = newline;
        else if (c == ' ' || c == '\t' || c == 0x0B || c == 0x0C)
            table[c] = space;
    }
    return table;
}

constexpr std::array<Kind, 256> kKinds = kinds();

class Scan {
public:
    explicit Scan(std::string_view text) : text_(text) {}
    // Past the end stands nothing that a class has.
    bool is(size_t at, Kind kind) const { return at < text_.size() && kind_of(at) == kind; }
    bool is_blank(size_t at) const { return is(at, space) || is(at, newline); }
    char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
    char lower(size_t i) const { return static_cast<char>(at(i) | 0x20); }
    size_t skip(size_t at, Kind kind) const {
        while (is(at, kind)) ++at;
        return at;
    }
    size_t skip_blanks(size_t at) const {
        while (is_blank(at)) ++at;
        return at;
    }
    bool beyond_ascii(size_t at) const { return is(at, beyond); }
    size_t size() const { return text_.size(); }

private:
    Kind kind_of(size_t at) const { return kKinds[static_cast<unsigned char>(text_[at])]; }
    std::string_view text_;
};

// The length of 's 't 're 've 'm 'll 'd at an apostrophe, of either case if `any_case`; 0 if it is none of them.
size_t contraction(const Scan& scan, size_t at, bool any_case) {
    const char first = any_case ? scan.lower(at + 1) : scan.at(at + 1);
    const char second = any_case ? scan.lower(at + 2) : scan.at(at + 2);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
    if ((first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l')) return 3;
    return 0;
}

// \s+(?!\S)|\s+ from a blank on: all of the run but its last blank, if something other follows.
size_t blanks(const Scan& scan, size_t at) {
    const size_t end = scan.skip_blanks(at);
    if (scan.beyond_ascii(end)) return 0;
    return end == scan.size() || end == at + 1 ? end : end - 1;
}

// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
size_t gpt2(std::string_view text, size_t at) {
    const Scan scan(text);
    if (scan.at(at) == '\'')
        if (const size_t length = contraction(scan, at, false); length > 0) return at + length;
    size_t from = at + (scan.at(at) == ' ' ? 1 : 0);
    size_t end = from;
    for (const Kind kind : {letter, digit, other})
        if (scan.is(from, kind)) end = scan.skip(from, kind);
    if (scan.beyond_ascii(end)) return 0;
    if (end > from) return end;
    return blanks(scan, at);
}

// The rest of the patterns below, from what is neither a contraction, a word nor a number on:
//  ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
size_t punctuation_or_blanks(const Scan& scan, size_t at) {
    const size_t from = at + (scan.at(at) == ' ' ? 1 : 0);
    size_t end = scan.skip(from, other);
    if (scan.beyond_ascii(end)) return 0;
    if (end > from) return scan.skip(end, newline);
    const size_t run = scan.skip_blanks(at);
    if (scan.beyond_ascii(run)) return 0;
    for (end = run; end > at; --end)
        if (scan.is(end - 1, newline)) return end;
    return blanks(scan, at);
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,max_digits}| ?[^\s\p{L}\p{N}]+[\r\n]*|...
template <size_t max_digits>
size_t words_and_digits(std::string_view text, size_t at) {
    const Scan scan(text);
    if (scan.at(at) == '\'') {
        // Beyond ASCII stand characters whose other case is in it (long s).
        if (scan.beyond_ascii(at + 1) || scan.beyond_ascii(at + 2)) return 0;
        if (const size_t length = contraction(scan, at, true); length > 0) return at + length;
    }
    if (scan.beyond_ascii(at)) return 0;
    const bool leads = scan.is(at, other) || scan.is(at, space);
    const size_t from = at + (leads ? 1 : 0);
    if (scan.beyond_ascii(from)) return 0;
    if (scan.is(from, letter)) {
        const size_t end = scan.skip(from, letter);
        return scan.beyond_ascii(end) ? 0 : end;
    }
    if (scan.is(at, digit)) {
        size_t end = at + 1;
        while (end < at + max_digits && scan.is(end, digit)) ++end;
        return end < at + max_digits && scan.beyond_ascii(end) ? 0 : end;
    }
    return punctuation_or_blanks(scan, at);
}

}  // namespace

WordScanner* word_scanner(const std::string& expression) {
    static const std::string rest = R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    static const std::string words = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)";
    if (expression == R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)") return gpt2;
    if (expression == words + R"(\p{N}{1,3})" + rest) return words_and_digits<3>;
    if (expression == words + R"(\p{N})" + rest) return words_and_digits<1>;
    return nullptr;
}

}  // namespace craft
