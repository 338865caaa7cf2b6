#include "tools/grammar/spelling.h"

#include <algorithm>

#include "core/ascii.h"
#include "english/letter_changes.h"
#include "text/code_points.h"
#include "text/composed.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kMaxSuggestions = 8;
constexpr size_t kMaxCached = 20000;
constexpr size_t kLongestWord = 40;  // in bytes; what is longer is no word that somebody misspelt

bool is_vowel(char c) {
    return std::string_view("aeiouy").find(c) != std::string_view::npos;
}

bool is_capital(std::string_view text) {
    return !text.empty() && lowercase(text.substr(0, 1)) != text.substr(0, 1);
}

bool is_checked(const EnglishToken& token) {
    const std::string& text = token.text;
    if (token.is_space || text.size() < 3 || text.size() > kLongestWord) return false;
    if (text.front() == '\'' || text.find('\'') != std::string::npos || text.find("\xE2\x80\x99") != std::string::npos)
        return false;
    const std::u32string letters = decode_utf8(text);
    if (!std::all_of(letters.begin(), letters.end(), [](char32_t c) { return is_letter(c); })) return false;
    const bool has_capital_inside = lowercase(text.substr(1)) != text.substr(1);
    const bool is_name = token.tag.starts_with("NNP") && is_capital(text);
    return !has_capital_inside && !is_name && token.entity != "PERSON" && token.entity != "GPE" && token.pos != "X";
}

// What a word's letters sound like from `at` on, and how many of them make that sound; "" where they are not heard.
// `letters` are small ASCII letters.
struct Sound {
    std::string_view key;
    size_t letters = 1;
};

Sound sound_at(std::string_view letters, size_t at) {
    struct Spelling {
        std::string_view letters, key;
        bool at_beginning = false;  // only there
    };
    // The first one that fits.
    static constexpr Spelling kSpellings[] = {{"ce", "s"},      {"ci", "s"},      {"cy", "s"}, {"c", "k"}, {"ph", "f"},
                                              {"kn", "", true}, {"wr", "", true}, {"gh", ""},  {"h", ""},  {"q", "k"},
                                              {"z", "s"},       {"tio", "s"},     {"x", "ks"}};
    if (is_vowel(letters[at])) return {at == 0 ? "a" : ""};  // where it begins the word it counts, whichever it is
    for (const Spelling& one : kSpellings)
        if (letters.substr(at).starts_with(one.letters) && (!one.at_beginning || at == 0))
            return {one.key, one.letters == "ph" ? size_t{2} : size_t{1}};
    return {letters.substr(at, 1)};
}

}  // namespace

std::string sound_key(std::string_view word) {
    std::string letters;
    for (const char c : word)
        if (is_ascii_letter(c)) letters += ascii_lower(c);
    std::string key;
    for (size_t i = 0; i < letters.size();) {
        const Sound sound = sound_at(letters, i);
        for (const char c : sound.key)
            if (key.empty() || key.back() != c) key += c;
        i += sound.letters;
    }
    return key;
}

SpellChecker::SpellChecker(std::shared_ptr<const EnglishDictionary> dictionary, const std::filesystem::path& british,
                           const std::filesystem::path& american)
    : dictionary_(std::move(dictionary)), british_(WordList::load(british)), american_(WordList::load(american)) {}

bool SpellChecker::knows(const std::string& given) const {
    const std::string word = composed(given);
    if (british_.knows(word) || american_.knows(word)) return true;
    const std::string lower = lowercase(word);
    return lower != word && (british_.knows(lower) || american_.knows(lower));
}

bool SpellChecker::is_common(const std::string& word) const {
    constexpr double kCommon = 0.67;  // of 0 to 1
    return dictionary_->by_count().of(word) <= kCommon;
}

std::vector<std::string> SpellChecker::ranked(const std::string& word) const {
    const std::string lower = lowercase(word), sound = sound_key(lower);
    struct Candidate {
        std::string text;
        double cost;
    };
    std::vector<Candidate> candidates;
    for (const WordList* list : {&british_, &american_})
        for (const std::string& text : list->suggestions(lower)) {
            const bool is_new =
                std::none_of(candidates.begin(), candidates.end(), [&](const Candidate& c) { return c.text == text; });
            if (!is_new || text == lower) continue;
            const std::string small = lowercase(text);
            double cost = static_cast<double>(letter_changes(lower, small)) + 2.5 * dictionary_->by_count().of(small);
            if (sound_key(small) == sound) cost -= 0.7;
            if (small.substr(0, 1) != lower.substr(0, 1)) cost += 0.7;
            // Two words for one, and names, are seldom what was meant.
            if (small.find_first_of(" -") != std::string::npos) cost += 0.8;
            if (is_capital(text)) cost += 0.8;
            candidates.push_back({text, cost});
        }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    std::vector<std::string> words;
    for (const Candidate& candidate : candidates)
        if (words.size() < kMaxSuggestions) words.push_back(candidate.text);
    return words;
}

std::vector<std::string> SpellChecker::suggestions(const std::string& word) const {
    std::vector<std::string> words;
    bool is_known = false;
    const std::string lower = lowercase(word);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = cache_.find(lower); found != cache_.end()) {
            words = found->second;
            is_known = true;
        }
    }
    if (!is_known) {
        words = ranked(lower);
        const std::lock_guard lock(mutex_);
        if (cache_.size() >= kMaxCached) cache_.clear();
        cache_.emplace(lower, words);
    }
    if (is_capital(word))
        for (std::string& one : words) one = uppercase_first(one);
    return words;
}

SpellingReport SpellChecker::check(const EnglishDocument& tokens) const {
    SpellingReport report;
    int64_t letters_words = 0, known = 0;
    std::vector<size_t> unknown;
    for (size_t i = 0; i < tokens.size(); ++i) {
        const EnglishToken& token = tokens[i];
        const bool is_word = !token.is_space && is_letter(code_point_at(token.text, 0).value);
        if (!is_word) continue;
        ++letters_words;
        const bool is_piece =
            token.text.find('\'') != std::string::npos || token.text.find("\xE2\x80\x99") != std::string::npos ||
            (i + 1 < tokens.size() && (tokens[i + 1].lower == "n't" || tokens[i + 1].lower == "n\xE2\x80\x99t"));
        if (is_piece || knows(token.text)) {
            ++known;
            continue;
        }
        if (!is_checked(token)) continue;
        // The tagger takes a misspelt first word for a name, and a real one too: what is near no word is left alone.
        unknown.push_back(i);
    }
    report.words = letters_words;
    report.is_english = letters_words < 4 || known * 2 >= letters_words;
    if (!report.is_english) return report;
    for (const size_t i : unknown) report.errors.push_back({i, suggestions(tokens[i].text)});
    return report;
}

}  // namespace craft
