#include "metrics/words.h"

#include <array>

#include "text/ascii_space.h"
#include "text/code_points.h"
#include "text/treebank.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_stop(char c) {
    return c == '.' || c == ',';
}

// All marks of ASCII but ' , - and the full stop, and the blank.
constexpr std::array<bool, 256> mark_table() {
    std::array<bool, 256> table{};
    for (const unsigned char c : {'{', '|', '}', '~', '[', '\\', ']', '^', '_', '`', ' ', '!', '"', '#', '$',
                                  '%', '&', '(', ')', '*', '+',  ':', ';', '<', '=', '>', '?', '@', '/'})
        table[c] = true;
    return table;
}
constexpr auto kMarks = mark_table();

void pad_marks(const std::string& line, std::string& out) {
    out.clear();
    for (const char c : line) {
        if (kMarks[static_cast<unsigned char>(c)]) {
            out += ' ';
            out += c;
            out += ' ';
        } else {
            out += c;
        }
    }
}

// The next three take a pair of characters at a time, from the left, and continue after it. They may look at bytes: what
// they look for is ASCII, and any other byte of a code point is as little a digit as its first one.
void part_stops_after_others(const std::string& line, std::string& out) {
    out.clear();
    for (size_t i = 0; i < line.size(); ++i) {
        out += line[i];
        if (is_digit(line[i]) || i + 1 == line.size() || !is_stop(line[i + 1])) continue;
        out += ' ';
        out += line[++i];
        out += ' ';
    }
}

void part_stops_before_others(const std::string& line, std::string& out) {
    out.clear();
    for (size_t i = 0; i < line.size(); ++i) {
        if (!is_stop(line[i]) || i + 1 == line.size() || is_digit(line[i + 1])) {
            out += line[i];
            continue;
        }
        out += ' ';
        out += line[i];
        out += ' ';
        out += line[++i];
    }
}

void part_hyphens_after_digits(const std::string& line, std::string& out) {
    out.clear();
    for (size_t i = 0; i < line.size(); ++i) {
        out += line[i];
        if (!is_digit(line[i]) || i + 1 == line.size() || line[i + 1] != '-') continue;
        out += ' ';
        out += line[++i];
        out += ' ';
    }
}

// One blank for each stretch of white space, none at the ends.
void join_words(std::string_view line, std::string& out) {
    out.resize(line.size());
    char* to = out.data();
    bool inside = false;
    for (size_t i = 0; i < line.size();) {
        const auto byte = static_cast<unsigned char>(line[i]);
        size_t bytes = 1;
        bool space = false;
        if (byte < 0x80) {
            space = kAsciiSpace[byte];
        } else if (byte == 0xC2 || (byte >= 0xE1 && byte <= 0xE3)) {  // only these begin white space beyond ASCII
            const CodePoint found = code_point_at(line, i);
            space = found.bytes > 1 && is_space(found.value);
            bytes = found.bytes;
        }
        if (space) {
            inside = false;
        } else {
            if (!inside && to != out.data()) *to++ = ' ';
            inside = true;
            for (size_t k = 0; k < bytes; ++k) *to++ = line[i + k];
        }
        i += bytes;
    }
    out.resize(static_cast<size_t>(to - out.data()));
}

bool has_adjacent_stops(std::string_view line) {
    for (size_t i = 1; i < line.size(); ++i)
        if (is_stop(line[i]) && is_stop(line[i - 1])) return true;
    return false;
}

// The four substitutions and join_words() at once, for lines in which no two stops touch: only there can one of them take
// away the character that the next one needs. A stop stays in its word where digits stand on both sides.
void part_in_one_go(std::string_view line, std::string& out) {
    out.resize(2 * line.size());  // at most a blank before each character
    char* to = out.data();
    bool apart = true;  // from what comes before
    const auto put = [&](char c, bool alone) {
        if ((apart || alone) && to != out.data()) *to++ = ' ';
        *to++ = c;
        apart = alone;
    };
    for (size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80) {
            const bool may_be_space = byte == 0xC2 || (byte >= 0xE1 && byte <= 0xE3);
            const CodePoint found = may_be_space ? code_point_at(line, i) : CodePoint{0, 1};
            if (found.bytes > 1 && is_space(found.value)) {
                apart = true;
                i += found.bytes - 1;
            } else {
                put(c, false);
            }
            continue;
        }
        const bool after_digit = i > 0 && is_digit(line[i - 1]);
        if (is_space(byte))
            apart = true;
        else if (is_stop(c))
            put(c, !(after_digit && i + 1 < line.size() && is_digit(line[i + 1])));
        else
            put(c, kMarks[byte] || (c == '-' && after_digit));
    }
    out.resize(static_cast<size_t>(to - out.data()));
}

void replace_all(std::string& text, std::string_view part, std::string_view by) {
    size_t at = text.find(part);
    if (at == std::string::npos) return;
    std::string out;
    size_t from = 0;
    for (; at != std::string::npos; at = text.find(part, from)) {
        out.append(text, from, at - from).append(by);
        from = at + part.size();
    }
    out.append(text, from);
    text.swap(out);
}

std::string mteval13a(std::string line) {
    replace_all(line, "<skipped>", "");
    replace_all(line, "-\n", "");
    replace_all(line, "\n", " ");
    if (line.find('&') != std::string::npos) {
        replace_all(line, "&quot;", "\"");
        replace_all(line, "&amp;", "&");
        replace_all(line, "&lt;", "<");
        replace_all(line, "&gt;", ">");
    }
    return mteval_words(line);
}

// As 13a, but for all marks of Unicode; a mark at the line's end after a digit stays with it, since no blank is put there.
std::string international(std::string_view text) {
    std::u32string line = decode_utf8(text), out;
    for (size_t i = 0; i < line.size(); ++i) {
        out += line[i];
        if (in_number_category(line[i]) || i + 1 == line.size() || !in_punctuation_category(line[i + 1])) continue;
        out += U' ';
        out += line[++i];
        out += U' ';
    }
    line.swap(out);
    out.clear();
    for (size_t i = 0; i < line.size(); ++i) {
        const bool parted = in_punctuation_category(line[i]) && i + 1 < line.size() && !in_number_category(line[i + 1]);
        if (parted) out += U' ';
        out += line[i];
        if (!parted) continue;
        out += U' ';
        out += line[++i];
    }
    std::string padded, words;
    for (const char32_t c : out) {
        if (in_symbol_category(c)) padded += ' ';
        append_utf8(padded, c);
        if (in_symbol_category(c)) padded += ' ';
    }
    join_words(padded, words);
    return words;
}

std::string nltk_words(std::string_view text, NltkRelease release) {
    std::string words;
    for (const std::string& token : treebank_tokens(text, release)) {
        if (!words.empty()) words += ' ';
        words += token;
    }
    return words;
}

}  // namespace

std::string mteval_words(std::string_view line) {
    std::string to;
    if (!has_adjacent_stops(line)) {
        part_in_one_go(line, to);
        return to;
    }
    std::string from;
    from.reserve(line.size() * 2 + 8);
    from += ' ';
    from += line;
    from += ' ';
    pad_marks(from, to);
    part_stops_after_others(to, from);
    part_stops_before_others(from, to);
    part_hyphens_after_digits(to, from);
    join_words(from, to);
    return to;
}

std::string tokenised(std::string_view text, WordTokenizer tokenizer, bool lower) {
    std::string words;
    if (tokenizer == WordTokenizer::whitespace && !lower) {
        join_words(text, words);
        return words;
    }
    std::string line = lower ? lowercase(text) : std::string(text);
    switch (tokenizer) {
        case WordTokenizer::mteval13a:
            return mteval13a(std::move(line));
        case WordTokenizer::intl:
            return international(line);
        case WordTokenizer::nltk:
            return nltk_words(line, NltkRelease::v3_7);
        case WordTokenizer::nltk_3_10:
            return nltk_words(line, NltkRelease::v3_10);
        case WordTokenizer::whitespace:
            break;
    }
    join_words(line, words);
    return words;
}

}  // namespace craft
