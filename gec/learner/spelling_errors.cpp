// Words as they sound, with letters doubled, single, in another order or left out.
#include <array>
#include <cctype>
#include <set>

#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

// Letters that sound alike, and endings whose spelling has to be learnt.
struct SoundsLike {
    std::string_view right, written;
    double weight;
};
constexpr SoundsLike kSounds[] = {
    {"ie", "ei", 3},     {"ei", "ie", 3},      {"ght", "th", 1},    {"ght", "gth", 1},   {"ph", "f", 2},
    {"wh", "w", 1},      {"ck", "k", 1},       {"qu", "kw", .3},    {"sc", "s", 1},      {"ous", "us", 1},
    {"ence", "ance", 3}, {"ance", "ence", 3},  {"ent", "ant", 2},   {"ant", "ent", 2},   {"ible", "able", 3},
    {"able", "ible", 2}, {"ary", "ery", 2},    {"ful", "full", 2},  {"tion", "sion", 1}, {"sion", "tion", 1},
    {"ely", "ly", 2},    {"ately", "atly", 3}, {"ea", "ee", 1},     {"ee", "ea", 1},     {"ou", "u", 1},
    {"au", "ou", .5},    {"kn", "n", .5},      {"wr", "r", .5},     {"gu", "g", 1},      {"mb", "m", .5},
    {"ough", "ouh", .5}, {"ys", "yes", .3},    {"ies", "ys", 3},    {"ied", "yed", 2},   {"tch", "ch", 1},
    {"dge", "ge", 1},    {"cial", "tial", 1},  {"tial", "cial", 1}, {"ege", "edge", 1},  {"ise", "ice", .3},
    {"per", "pre", .5},  {"ess", "es", .5},    {"eri", "ari", .5},  {"ini", "ine", 1},   {"ara", "era", 2},
    {"ora", "era", .5},  {"ebr", "eber", .5},
};

bool is_vowel(char c) {
    return std::string_view("aeiou").find(c) != std::string_view::npos;
}

class Misspellings {
public:
    Misspellings(const std::string& word, const LearnerLanguage& language) : word_(word), language_(language) {}

    // Each with its weight; no two alike.
    std::vector<std::pair<std::string, double>> all() && {
        for (const SoundsLike& one : kSounds)
            for (size_t at = word_.find(one.right, 1); at != std::string::npos; at = word_.find(one.right, at + 1))
                replace(at, one.right.size(), one.written, one.weight);
        if (word_.starts_with("kn") || word_.starts_with("wr")) replace(0, 1, "", 1);
        if (word_.starts_with("wh")) replace(1, 1, "", 1);
        for (size_t i = 1; i < word_.size(); ++i) at_letter(i);
        after_stem();
        return std::move(made_);
    }

private:
    void replace(size_t at, size_t length, std::string_view written, double weight) {
        std::string made = word_;
        made.replace(at, length, written);
        if (weight > 0 && made != word_ && !language_.is_word(made) && seen_.insert(made).second)
            made_.emplace_back(std::move(made), weight);
    }

    void at_letter(size_t i) {
        const char c = word_[i], before = word_[i - 1], next = i + 1 < word_.size() ? word_[i + 1] : '\0';
        const bool may_double =
            is_vowel(next) && is_vowel(before) && std::string_view("bcdflmnprst").find(c) != std::string_view::npos;
        if (c == before)
            replace(i, 1, "", 3);
        else if (may_double)
            replace(i, 0, std::string(1, c), i > 1 ? 1.5 : .5);
        if (next != c && i > 1 && i + 2 < word_.size()) replace(i, 2, std::string{next, c}, .15);
        if (is_vowel(c)) at_unheard_vowel(i);
        if (i + 3 < word_.size() && !is_vowel(c) && !is_vowel(before) && !is_vowel(next) && word_.size() > 6)
            replace(i, 1, "", .5);
    }

    // One between consonants, after the first vowel of the word.
    void at_unheard_vowel(size_t i) {
        if (word_.find_first_of("aeiouy") >= i || i + 2 >= word_.size() || is_vowel(word_[i - 1]) || is_vowel(word_[i + 1]))
            return;
        const char c = word_[i];
        const std::string_view others = c == 'a' ? "e" : c == 'e' ? "ai" : c == 'i' ? "ea" : c == 'o' ? "a" : "o";
        if (word_.size() > 6)
            for (const char other : others) replace(i, 1, std::string(1, other), .8);
        if (word_.size() > 7) replace(i, 1, "", .4);
    }

    // "makeing", "writting", "studing"
    void after_stem() {
        if (!word_.ends_with("ing") || word_.size() < 6) return;
        const size_t ending = word_.size() - 3;
        if (language_.is_word(word_.substr(0, ending) + "e")) {
            replace(ending, 0, "e", 2);
            if (is_vowel(word_[ending - 2])) replace(ending, 0, std::string(1, word_[ending - 1]), 1.5);
        }
        if (word_[ending - 1] == 'y') replace(ending - 1, 1, "", 2);
    }

    const std::string& word_;
    const LearnerLanguage& language_;
    std::vector<std::pair<std::string, double>> made_;
    std::set<std::string> seen_;
};

bool is_plain_word(const EnglishToken& token) {
    return token.lower.size() >= 5 && token.entity != "PERSON" && !token.tag.starts_with("NNP") &&
           std::all_of(token.lower.begin(), token.lower.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

}  // namespace

LearnerErrors spelling_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    LearnerErrors found;
    for (size_t i = 0; i < sentence.size(); ++i) {
        const EnglishToken& token = sentence[i];
        if (!is_plain_word(token) || !sentence.is_whole_word(i) || !language.is_word(token.lower)) continue;
        const auto made = Misspellings(token.lower, language).all();
        double sum = 0;
        for (const auto& one : made) sum += one.second;
        // Long words are misspelt more often, but none for having many ways to be.
        const double of_word = token.lower.size() > 7 ? 3 : 1;
        for (const auto& one : made) found.push_back(sentence.instead_of(i, one.first).weighing(of_word * one.second / sum));
    }
    return found;
}

}  // namespace craft
