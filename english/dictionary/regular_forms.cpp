#include "english/dictionary/regular_forms.h"

#include <algorithm>

namespace craft {

namespace {

bool is_vowel(char c) {
    return std::string_view("aeiou").find(c) != std::string_view::npos;
}

bool ends_in_any(std::string_view word, std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return word.ends_with(ending); });
}

// "carry", not "play".
bool ends_in_consonant_y(std::string_view word) {
    return word.size() > 1 && word.back() == 'y' && !is_vowel(word[word.size() - 2]);
}

// Groups of vowels, without a silent e at the end.
int syllables(std::string_view word) {
    int groups = 0;
    bool in_group = false;
    for (size_t i = 0; i < word.size(); ++i) {
        const bool vowel = is_vowel(word[i]) || (word[i] == 'y' && i > 0);
        groups += vowel && !in_group ? 1 : 0;
        in_group = vowel;
    }
    const bool silent_e = word.size() > 2 && word.back() == 'e' && !is_vowel(word[word.size() - 2]) && !word.ends_with("le");
    return std::max(1, groups - (silent_e ? 1 : 0));
}

// "stop", "quiz": one syllable that ends in a single vowel and a single consonant.
bool doubles_consonant(std::string_view word) {
    if (word.size() < 3 || syllables(word) != 1) return false;
    const char last = word.back(), vowel = word[word.size() - 2], before = word[word.size() - 3];
    if (is_vowel(last) || std::string_view("chwxy").find(last) != std::string_view::npos || !is_vowel(vowel)) return false;
    return !is_vowel(before) || (before == 'u' && word.size() > 3 && word[word.size() - 4] == 'q');
}

// What endings that begin with a vowel are put after: "stopp-", "panick-", "lov-" before e and i.
std::string stem_before_vowel(const std::string& word) {
    if (doubles_consonant(word)) return word + word.back();
    if (word.size() > 2 && word.ends_with("c") && syllables(word) > 1) return word + 'k';
    return word;
}

std::string with_s(const std::string& word, bool is_verb) {
    if (ends_in_consonant_y(word)) return word.substr(0, word.size() - 1) + "ies";
    if (!is_verb && word.size() > 5 && word.ends_with("sis")) return word.substr(0, word.size() - 2) + "es";
    if (ends_in_any(word, {"s", "x", "z", "ch", "sh"})) return (word.ends_with("z") ? stem_before_vowel(word) : word) + "es";
    const bool consonant_o = word.size() > 2 && word.back() == 'o' && !is_vowel(word[word.size() - 2]);
    return word + (is_verb && consonant_o ? "es" : "s");
}

// "er", "est", "ed": an e that is there already is not written twice.
std::string with_e_ending(const std::string& word, const char* ending) {
    if (ends_in_consonant_y(word)) return word.substr(0, word.size() - 1) + "i" + ending;
    if (word.back() == 'e') return word + (ending + 1);
    return stem_before_vowel(word) + ending;
}

std::string with_ing(const std::string& word) {
    if (word.ends_with("ie")) return word.substr(0, word.size() - 2) + "ying";
    if (word.size() > 2 && word.back() == 'e' && !ends_in_any(word, {"ee", "oe", "ye"}))
        return word.substr(0, word.size() - 1) + "ing";
    return stem_before_vowel(word) + "ing";
}

std::string compared(const std::string& word, bool superlative, bool adverb) {
    const bool by_ending =
        (syllables(word) == 1 || (syllables(word) == 2 && ends_in_consonant_y(word))) && !(adverb && word.ends_with("ly"));
    if (by_ending) return with_e_ending(word, superlative ? "est" : "er");
    return (superlative ? "most " : "more ") + word;
}

}  // namespace

std::string regular_form(const std::string& lemma, std::string_view tag) {
    const bool is_compared = tag.starts_with("JJ") || tag.starts_with("RB");  // "more matter-of-fact"
    if (const size_t part = lemma.rfind('-') + 1; part > 0 && part < lemma.size() && !is_compared)
        return lemma.substr(0, part) + regular_form(lemma.substr(part), tag);
    if (lemma.empty()) return lemma;
    if (tag == "NNS" || tag == "VBZ") return with_s(lemma, tag == "VBZ");
    if (tag == "VBD" || tag == "VBN") return with_e_ending(lemma, "ed");
    if (tag == "VBG") return with_ing(lemma);
    if (tag == "JJR" || tag == "JJS") return compared(lemma, tag == "JJS", false);
    if (tag == "RBR" || tag == "RBS") return compared(lemma, tag == "RBS", true);
    return lemma;
}

}  // namespace craft
