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

const Contraction* contraction_at(const std::u32string& text, size_t at) {
    if (!starts_contraction(fold_letter(text[at]))) return nullptr;
    if (at > 0 && is_word_character(text[at - 1])) return nullptr;
    for (const Contraction& contraction : kContractions) {
        const size_t middle = at + contraction.first.size();
        if (!matches(text, at, contraction.first) || !matches(text, middle, contraction.second)) continue;
        const char32_t next = character(text, middle + contraction.second.size());
        if (contraction.before_space ? is_space(next) : !is_word_character(next)) return &contraction;
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

}  // namespace

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
