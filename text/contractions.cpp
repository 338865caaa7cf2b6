#include "text/contractions.h"

#include <array>
#include <string_view>

#include "text/code_points.h"

namespace craft {

namespace {

struct Contraction {
    std::u32string_view first, second;
    bool before_space = false;  // else before a word boundary
};
constexpr std::array<Contraction, 8> kContractions{{{U"can", U"not"},
                                                    {U"d", U"'ye"},
                                                    {U"gim", U"me"},
                                                    {U"gon", U"na"},
                                                    {U"got", U"ta"},
                                                    {U"lem", U"me"},
                                                    {U"more", U"'n"},
                                                    {U"wan", U"na", true}}};

bool starts_contraction(char32_t letter) {
    return letter == 'c' || letter == 'd' || letter == 'g' || letter == 'l' || letter == 'm' || letter == 'w';
}

bool matches(const std::u32string& text, size_t at, std::u32string_view lower) {
    if (at > text.size() || text.size() - at < lower.size()) return false;
    for (size_t k = 0; k < lower.size(); ++k) {
        if (fold_letter(text[at + k]) != lower[k]) return false;
    }
    return true;
}

char32_t character(const std::u32string& text, size_t at) {
    return at < text.size() ? text[at] : 0;
}

// `joint`: how many characters of white space stand between the halves. `is_word`: which characters words are made of.
const Contraction* contraction_at(const std::u32string& text, size_t at, size_t joint = 0,
                                  bool (*is_word)(char32_t) = is_word_character) {
    if (!starts_contraction(fold_letter(text[at]))) return nullptr;
    if (at > 0 && is_word(text[at - 1])) return nullptr;
    for (const Contraction& contraction : kContractions) {
        const size_t end = at + contraction.first.size(), middle = end + joint;
        if (!matches(text, at, contraction.first) || !matches(text, middle, contraction.second)) continue;
        if (joint > 0 && !is_unicode_space(text[end])) continue;
        const char32_t next = character(text, middle + contraction.second.size());
        const bool space = joint > 0 ? is_unicode_space(next) : is_space(next);
        if (contraction.before_space ? space : !is_word(next)) return &contraction;
    }
    return nullptr;
}

// All eight at once: a match ends at a word boundary, and its second half starts none of the others.
void split_words(std::u32string& text) {
    std::u32string out;
    size_t kept = 0;  // text before this stands in `out`
    for (size_t i = 0; i < text.size(); ++i) {
        const Contraction* contraction = contraction_at(text, i);
        if (contraction == nullptr) continue;
        const size_t middle = i + contraction->first.size(), end = middle + contraction->second.size();
        out.append(text, kept, i - kept).append(1, U' ');
        out.append(text, i, middle - i).append(1, U' ');
        out.append(text, middle, end - middle).append(1, U' ');
        kept = end;
        i = end - 1;
    }
    if (kept == 0) return;
    out.append(text, kept);
    text.swap(out);
}

// (?i) ('t)(is)\b -> " \1 \2 "
void split_after_t(std::u32string& text, std::u32string_view rest) {
    std::u32string out;
    size_t kept = 0;
    for (size_t i = text.find(U" '"); i != std::u32string::npos; i = text.find(U" '", i + 1)) {
        const size_t end = i + 3 + rest.size();
        if (i < kept || !matches(text, i + 1, U"'t") || !matches(text, i + 3, rest)) continue;
        if (is_word_character(character(text, end))) continue;
        out.append(text, kept, i + 3 - kept).append(1, U' ');
        out.append(text, i + 3, rest.size()).append(1, U' ');
        kept = end;
    }
    if (kept == 0) return;
    out.append(text, kept);
    text.swap(out);
}

// (?i) ('t)\s(is)\b -> "\1\2"
void join_after_t(std::u32string& text, std::u32string_view rest) {
    std::u32string out;
    size_t kept = 0;
    for (size_t i = text.find(U" '"); i != std::u32string::npos; i = text.find(U" '", i + 1)) {
        const size_t end = i + 4 + rest.size();
        if (!matches(text, i + 1, U"'t") || !is_unicode_space(character(text, i + 3)) || !matches(text, i + 4, rest))
            continue;
        if (is_unicode_word_character(character(text, end)) || text[i + 4] == 0x131) continue;  // a dotless i is no i here
        out.append(text, kept, i - kept).append(text, i + 1, 2);
        kept = i + 4;
    }
    out.append(text, kept);
    text.swap(out);
}

// All eight at once: the second half of none begins another, and a boundary of words stands on both sides.
void join_words(std::u32string& text) {
    std::u32string out;
    size_t kept = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const Contraction* contraction = contraction_at(text, i, 1, is_unicode_word_character);
        if (contraction == nullptr) continue;
        const size_t end = i + contraction->first.size();
        out.append(text, kept, end - kept);
        kept = end + 1;
        i = end + contraction->second.size();
    }
    if (kept == 0) return;
    out.append(text, kept);
    text.swap(out);
}

}  // namespace

void join_contractions(std::u32string& text) {
    join_after_t(text, U"is");
    join_after_t(text, U"was");
    join_words(text);
}

char32_t fold_letter(char32_t c) {
    if (c >= 'A' && c <= 'Z') return c + ('a' - 'A');
    if (c == 0x130 || c == 0x131) return 'i';
    if (c == 0x17F) return 's';
    return c;
}

void split_contractions(std::u32string& text, bool has_apostrophe) {
    split_words(text);
    if (!has_apostrophe) return;
    split_after_t(text, U"is");
    split_after_t(text, U"was");
}

}  // namespace craft
