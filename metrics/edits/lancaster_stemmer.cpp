#include "metrics/edits/lancaster_stemmer.h"

#include <unicode/uchar.h>

#include <array>

#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

struct StemRule {
    std::string_view ending;
    size_t removed;  // code points that are taken off; the ending may be longer
    std::string_view appended;
    bool intact_only;  // only while no rule has changed the word
    bool go_on;        // look for another rule afterwards
};

// Of rules with the same last letter the first that fits is used. One that removes and appends nothing protects its ending.
constexpr std::array<StemRule, 115> kStemRules = {{
    // clang-format off
    {"ia", 2, "", true, false}, {"a", 1, "", true, false}, {"bb", 1, "", false, false},
    {"ytic", 3, "s", false, false}, {"ic", 2, "", false, true}, {"nc", 1, "t", false, true},
    {"dd", 1, "", false, false}, {"ied", 3, "y", false, true}, {"ceed", 2, "ss", false, false},
    {"eed", 1, "", false, false}, {"ed", 2, "", false, true}, {"hood", 4, "", false, true},
    {"e", 1, "", false, true}, {"lief", 1, "v", false, false}, {"if", 2, "", false, true},
    {"ing", 3, "", false, true}, {"iag", 3, "y", false, false}, {"ag", 2, "", false, true},
    {"gg", 1, "", false, false}, {"th", 2, "", true, false}, {"guish", 5, "ct", false, false},
    {"ish", 3, "", false, true}, {"i", 1, "", true, false}, {"i", 1, "y", false, true},
    {"ij", 1, "d", false, false}, {"fuj", 1, "s", false, false}, {"uj", 1, "d", false, false},
    {"oj", 1, "d", false, false}, {"hej", 1, "r", false, false}, {"verj", 1, "t", false, false},
    {"misj", 2, "t", false, false}, {"nj", 1, "d", false, false}, {"j", 1, "s", false, false},
    {"ifiabl", 6, "", false, false}, {"iabl", 4, "y", false, false}, {"abl", 3, "", false, true},
    {"ibl", 3, "", false, false}, {"bil", 2, "l", false, true}, {"cl", 1, "", false, false},
    {"iful", 4, "y", false, false}, {"ful", 3, "", false, true}, {"ul", 2, "", false, false},
    {"ial", 3, "", false, true}, {"ual", 3, "", false, true}, {"al", 2, "", false, true},
    {"ll", 1, "", false, false}, {"ium", 3, "", false, false}, {"um", 2, "", true, false},
    {"ism", 3, "", false, true}, {"mm", 1, "", false, false}, {"sion", 4, "j", false, true},
    {"xion", 4, "ct", false, false}, {"ion", 3, "", false, true}, {"ian", 3, "", false, true},
    {"an", 2, "", false, true}, {"een", 0, "", false, false}, {"en", 2, "", false, true},
    {"nn", 1, "", false, false}, {"ship", 4, "", false, true}, {"pp", 1, "", false, false},
    {"er", 2, "", false, true}, {"ear", 0, "", false, false}, {"ar", 2, "", false, false},
    {"or", 2, "", false, true}, {"ur", 2, "", false, true}, {"rr", 1, "", false, false},
    {"tr", 1, "", false, true}, {"ier", 3, "y", false, true}, {"ies", 3, "y", false, true},
    {"sis", 2, "", false, false}, {"is", 2, "", false, true}, {"ness", 4, "", false, true},
    {"ss", 0, "", false, false}, {"ous", 3, "", false, true}, {"us", 2, "", true, false},
    {"s", 1, "", true, true}, {"s", 0, "", false, false}, {"plicat", 4, "y", false, false},
    {"at", 2, "", false, true}, {"ment", 4, "", false, true}, {"ent", 3, "", false, true},
    {"ant", 3, "", false, true}, {"ript", 2, "b", false, false}, {"orpt", 2, "b", false, false},
    {"duct", 1, "", false, false}, {"sumpt", 2, "", false, false}, {"cept", 2, "iv", false, false},
    {"olut", 2, "v", false, false}, {"sist", 0, "", false, false}, {"ist", 3, "", false, true},
    {"tt", 1, "", false, false}, {"iqu", 3, "", false, false}, {"ogu", 1, "", false, false},
    {"siv", 3, "j", false, true}, {"eiv", 0, "", false, false}, {"iv", 2, "", false, true},
    {"bly", 1, "", false, true}, {"ily", 3, "y", false, true}, {"ply", 0, "", false, false},
    {"ly", 2, "", false, true}, {"ogy", 1, "", false, false}, {"phy", 1, "", false, false},
    {"omy", 1, "", false, false}, {"opy", 1, "", false, false}, {"ity", 3, "", false, true},
    {"ety", 3, "", false, true}, {"lty", 2, "", false, false}, {"istry", 5, "", false, false},
    {"ary", 3, "", false, true}, {"ory", 3, "", false, true}, {"ify", 3, "", false, false},
    {"ncy", 2, "t", false, true}, {"acy", 3, "", false, true}, {"iz", 2, "", false, true},
    {"yz", 1, "s", false, false},
    // clang-format on
}};

bool is_vowel(char32_t c) {
    return c == U'a' || c == U'e' || c == U'i' || c == U'o' || c == U'u' || c == U'y';
}

bool ends_with(std::u32string_view word, std::string_view ending) {
    if (ending.size() > word.size()) return false;
    for (size_t i = 0; i < ending.size(); ++i) {
        if (word[word.size() - ending.size() + i] != static_cast<char32_t>(ending[i])) return false;
    }
    return true;
}

// What is left must look like a stem: two letters after a vowel at the start, else three with a vowel among the first of
// them.
bool leaves_a_stem(std::u32string_view word, size_t removed) {
    if (removed > word.size()) return false;
    const size_t left = word.size() - removed;
    if (is_vowel(word[0])) return left >= 2;
    return left >= 3 && (is_vowel(word[1]) || is_vowel(word[2]));
}

// The rule for a word, or none. Rules are looked up by the last letter of the letters that the word begins with.
const StemRule* rule_for(std::u32string_view word, bool intact) {
    size_t letters = 0;
    while (letters < word.size() && u_isalpha(static_cast<UChar32>(word[letters]))) ++letters;
    if (letters == 0) return nullptr;
    for (const StemRule& rule : kStemRules) {
        if (static_cast<char32_t>(rule.ending.back()) != word[letters - 1] || !ends_with(word, rule.ending)) continue;
        if ((intact || !rule.intact_only) && leaves_a_stem(word, rule.removed)) return &rule;
    }
    return nullptr;
}

}  // namespace

std::string lancaster_stem(std::string_view word) {
    const std::u32string whole = decode_utf8(lowercase(word));
    std::u32string stem = whole;
    for (const StemRule* rule = rule_for(stem, true); rule != nullptr; rule = rule_for(stem, stem == whole)) {
        stem.resize(stem.size() - rule->removed);
        for (const char c : rule->appended) stem += static_cast<char32_t>(c);
        if (!rule->go_on) break;
    }
    std::string text;
    for (const char32_t c : stem) append_utf8(text, c);
    return text;
}

}  // namespace craft
