#include "gec/sentence_words.h"

#include <algorithm>
#include <array>

#include "text/code_points.h"

namespace craft {

namespace {

bool is_apostrophe(char32_t c) {
    return c == '\'' || c == 0x2019 || c == 0x02BC;
}

bool is_hyphen(char32_t c) {
    return c == '-' || c == 0x2010 || c == 0x2011;
}

char32_t at_or_blank(std::string_view text, size_t at) {
    return at < text.size() ? code_point_at(text, at).value : U' ';
}

// "'s", "'re" and "n't" are what tokenisers leave of words; the last one needs no rule.
bool is_contraction(std::string_view rest) {
    constexpr std::array<std::string_view, 6> kContractions = {"s", "m", "d", "re", "ve", "ll"};
    size_t end = 0;
    while (end < rest.size() && is_unicode_word_character(code_point_at(rest, end).value))
        end += code_point_at(rest, end).bytes;
    return std::find(kContractions.begin(), kContractions.end(), rest.substr(0, end)) != kContractions.end();
}

// Whether the sign `c` between two signs belongs to the word that both are in.
bool joins(char32_t before, char32_t c, char32_t after) {
    if (is_apostrophe(c) || is_hyphen(c)) return is_unicode_word_character(before) && is_unicode_word_character(after);
    return (c == '.' || c == ',') && is_decimal_digit(before) && is_decimal_digit(after);
}

// The bytes of the word that begins at `at`, which is no white space.
size_t word_length(std::string_view text, size_t at) {
    const CodePoint first = code_point_at(text, at);
    size_t end = at + first.bytes;
    char32_t before = first.value;
    if (!is_unicode_word_character(first.value)) {
        if (!is_apostrophe(first.value) || !is_contraction(text.substr(end))) return first.bytes;
        before = U's';
    }
    while (end < text.size()) {
        const CodePoint one = code_point_at(text, end);
        if (!is_unicode_word_character(one.value) && !joins(before, one.value, at_or_blank(text, end + one.bytes))) break;
        before = one.value;
        end += one.bytes;
    }
    return end - at;
}

}  // namespace

std::vector<std::string_view> sentence_words(std::string_view text) {
    std::vector<std::string_view> words;
    for (size_t at = 0; at < text.size();) {
        const CodePoint one = code_point_at(text, at);
        if (is_space(one.value)) {
            at += one.bytes;
            continue;
        }
        words.push_back(text.substr(at, word_length(text, at)));
        at += words.back().size();
    }
    return words;
}

std::string plain_quotes(std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const CodePoint one = code_point_at(text, at);
        at += one.bytes;
        if (one.value == 0x2018 || one.value == 0x2019 || one.value == 0x201B || one.value == 0x02BC || one.value == '`')
            out += '\'';
        else if (one.value == 0x201C || one.value == 0x201D || one.value == 0x201E || one.value == 0x201F)
            out += '"';
        else
            append_utf8(out, one.value);
    }
    return out;
}

}  // namespace craft
