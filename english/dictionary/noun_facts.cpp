#include "english/dictionary/noun_facts.h"

#include <algorithm>
#include <map>

#include "core/error.h"
#include "core/files.h"
#include "english/constituents.h"
#include "english/dictionary/regular_forms.h"
#include "text/words.h"

namespace craft {

namespace {

// Of what is done and how something is, which is counted or not as the sentence has it.
bool is_abstract(std::string_view noun) {
    for (const std::string_view ending :
         {"ness", "ity", "tion", "sion", "ment", "ance", "ence", "ism", "ing", "hood", "ship", "age", "ics", "cy", "logy"})
        if (noun.size() > ending.size() + 1 && noun.ends_with(ending)) return true;
    return false;
}

using Words = std::map<std::string, std::string, std::less<>>;

// share/english/wrong_plurals.txt, and plurals of what is uncountable by the rule: the wrong word, and the right one.
const Words& wrong_plurals() {
    static const Words all = [] {
        Words words;
        const std::filesystem::path file = share_folder() / "english" / "wrong_plurals.txt";
        for_each_list_line(read_file(file), file.string(), [&](std::string_view line, const std::string& place) {
            const size_t colon = line.find(": ");
            if (colon == std::string_view::npos) throw Error(place, "'WRONG: RIGHT'", "'" + std::string(line) + "'");
            words.emplace(line.substr(0, colon), line.substr(colon + 2));
        });
        for (const std::string& noun : listed_words("uncountable_nouns"))
            if (std::string plural = regular_form(noun, "NNS"); plural != noun) words.emplace(std::move(plural), noun);
        return words;
    }();
    return all;
}

std::optional<std::string> found_in(const Words& words, std::string_view word) {
    const auto found = words.find(word);
    return found == words.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

WordLines link_grammar_words(std::string_view text) {
    WordLines words;
    for (const std::string& written : whitespace_words(text)) {
        std::string word = written.substr(0, written.find('.'));
        if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos)
            words.insert(std::move(word));
    }
    return words;
}

NounFacts NounFacts::load(const std::filesystem::path& folder) {
    const auto words_in = [&](std::initializer_list<const char*> files) {
        WordLines words;
        for (const char* file : files) words.merge(link_grammar_words(read_file(folder / file)));
        return words;
    };
    NounFacts facts;
    facts.with_determiner_ = words_in({"words.n.1-const", "words.n.1-vowel", "words.n.t"});  // titles among them
    facts.without_determiner_ = words_in({"words.n.3-const", "words.n.3-vowel", "words.n.3.y", "words.n.1.gerund"});
    return facts;
}

NounFacts NounFacts::installed() {
    return load(link_grammar_dictionary_file().parent_path() / "words");
}

Countability NounFacts::countability(std::string_view noun) const {
    if (is_uncountable(noun)) return Countability::uncountable;
    if (is_mass(noun)) return Countability::mass;
    static const WordLines &counted = listed_words("count_nouns"), &bare = listed_words("bare_nouns");
    if (counted.contains(noun)) return Countability::counted;
    // Many words stand in both of link-grammar's lists.
    if (bare.contains(noun) || without_determiner_.contains(noun) || is_abstract(noun)) return Countability::either;
    return with_determiner_.contains(noun) ? Countability::counted : Countability::unknown;
}

bool is_uncountable(std::string_view noun) {
    static const WordLines& nouns = listed_words("uncountable_nouns");
    return nouns.contains(noun);
}

bool is_mass(std::string_view noun) {
    static const WordLines& nouns = listed_words("mass_nouns");
    return nouns.contains(noun) || is_uncountable(noun);
}

bool is_collective(std::string_view noun) {
    static const WordLines& nouns = listed_words("collective_nouns");
    return nouns.contains(noun);
}

bool has_either_number(std::string_view noun) {
    static const WordLines& others = listed_words("nouns_of_either_number");
    return is_collective(noun) || others.contains(noun);
}

bool is_month(std::string_view word) {
    static const WordLines& months = listed_words("months");
    return months.contains(word);
}

bool is_weekday(std::string_view word) {
    static const WordLines& days = listed_words("weekdays");
    return days.contains(word) || (word.ends_with('s') && days.contains(word.substr(0, word.size() - 1)));
}

std::optional<std::string> right_for_wrong_plural(std::string_view word) {
    return found_in(wrong_plurals(), word);
}

std::optional<std::string> wrong_plural_of(std::string_view word) {
    static const Words wrong = [] {
        Words words;
        for (const auto& [plural, right] : wrong_plurals()) words.emplace(right, plural);
        return words;
    }();
    return found_in(wrong, word);
}

}  // namespace craft
