#include "metrics/syllables.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

// Words whose spelling misleads the rules, in alphabetical order: EASSE's list.
constexpr auto kExceptions = std::to_array<std::pair<std::string_view, int>>({
    {"60", 2},
    {"bepatched", 2},
    {"brutes", 1},
    {"capered", 2},
    {"caressed", 2},
    {"chummed", 1},
    {"clattered", 2},
    {"deafened", 2},
    {"discoloured", 3},
    {"disinterred", 3},
    {"dr", 2},
    {"effaced", 2},
    {"effaces", 2},
    {"etc", 4},
    {"flapped", 1},
    {"foamed", 1},
    {"fringed", 2},
    {"gaped", 1},
    {"gravesend", 2},
    {"greyish", 2},
    {"h'm", 1},
    {"hemispheres", 3},
    {"jr", 2},
    {"lb", 1},
    {"mangroves", 2},
    {"manoeuvred", 3},
    {"messieurs", 2},
    {"mimes", 1},
    {"motioned", 2},
    {"moustaches", 2},
    {"mr", 2},
    {"mrs", 2},
    {"ms", 1},
    {"particularized", 5},
    {"peeped", 1},
    {"pencilled", 2},
    {"poleman", 2},
    {"propitiatory", 6},
    {"quivered", 2},
    {"reclined", 2},
    {"sailmaker", 4},
    {"satiated", 4},
    {"sententiously", 4},
    {"sepulchre", 3},
    {"shamefully", 3},
    {"sheered", 1},
    {"shivered", 2},
    {"sidespring", 2},
    {"slandered", 2},
    {"sombre", 2},
    {"sr", 2},
    {"st", 1},
    {"stammered", 2},
    {"suavely", 2},
    {"the", 1},
    {"tottered", 2},
    {"trespassed", 2},
    {"truckle", 2},
    {"unexpressed", 3},
    {"unostentatious", 5},
    {"unstained", 2},
    {"veriest", 3},
});
static_assert(std::is_sorted(kExceptions.begin(), kExceptions.end()), "they are looked up by halves");

using Word = std::u32string_view;

bool is_vowel(char32_t c, bool with_y = true) {
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || (with_y && c == 'y');
}

bool contains(Word word, Word part) {
    return word.find(part) != Word::npos;
}

int64_t vowel_groups(Word word) {
    int64_t groups = 0;
    bool before = false;
    for (const char32_t c : word) {
        const bool vowel = is_vowel(c);
        if (vowel && !before) ++groups;
        before = vowel;
    }
    return groups;
}

bool has_three_vowels(Word word) {
    size_t run = 0;
    for (const char32_t c : word) {
        run = is_vowel(c, false) ? run + 1 : 0;
        if (run == 3) return true;
    }
    return false;
}

// "...bl" after a vowel.
bool ends_in_vowel_bl(Word word) {
    return word.size() >= 3 && word.ends_with(U"bl") && is_vowel(word[word.size() - 3]);
}

// A vowel twice and an l at the end, after another letter.
bool ends_in_doubled_vowel_l(Word word) {
    if (word.size() < 4 || word.back() != 'l') return false;
    const Word end = word.substr(word.size() - 4);
    return is_vowel(end[1]) && end[1] == end[2] && end[0] != end[1];
}

// "llien" after anything but an l.
bool has_llien(Word word) {
    for (size_t at = word.find(U"llien"); at != Word::npos; at = word.find(U"llien", at + 1))
        if (at > 0 && word[at - 1] != 'l') return true;
    return false;
}

// "gua" or "qua" after another letter, then any character, then a vowel that differs from it.
bool has_gua(Word word) {
    for (size_t i = 1; i + 4 < word.size(); ++i) {
        if ((word[i] != 'g' && word[i] != 'q') || word[i - 1] == word[i]) continue;
        if (word[i + 1] != 'u' || word[i + 2] != 'a') continue;
        if (is_vowel(word[i + 4], false) && word[i + 4] != word[i + 3]) return true;
    }
    return false;
}

bool begins_with_coa(Word word) {
    if (word.size() < 5 || !word.starts_with(U"coa")) return false;
    return word[3] == 'd' || word[3] == 'g' || word[3] == 'l' || word[3] == 'x';
}

int64_t added(Word word) {
    int64_t count = 0;
    for (const Word part : {U"ia", U"riet", U"dien", U"iu", U"io", U"ii"})
        if (contains(word, part)) ++count;
    for (const bool found : {ends_in_vowel_bl(word), word.ends_with(U"mbl"), has_three_vowels(word), word.starts_with(U"mc"),
                             word.ends_with(U"ism"), ends_in_doubled_vowel_l(word), has_llien(word), begins_with_coa(word),
                             has_gua(word), word.ends_with(U"dnt")})
        if (found) ++count;
    return count;
}

int64_t taken_away(Word word) {
    int64_t count = 0;
    for (const Word part : {U"cial", U"tia", U"cius", U"cious", U"gui", U"ion", U"iou"})
        if (contains(word, part)) ++count;
    if (word.ends_with(U"sia")) ++count;
    if (word.size() > 3 && word.ends_with(U"ely")) ++count;
    return count;
}

}  // namespace

int64_t count_syllables(std::string_view text) {
    const std::string lower = lowercase(text);
    const auto exception =
        std::lower_bound(kExceptions.begin(), kExceptions.end(), std::pair<std::string_view, int>(lower, -1));
    if (exception != kExceptions.end() && exception->first == lower) return exception->second;
    const std::u32string letters = decode_utf8(lower);
    Word word = letters;
    while (!word.empty() && word.back() == 'e') word.remove_suffix(1);
    return vowel_groups(word) + added(word) - taken_away(word);
}

}  // namespace craft
