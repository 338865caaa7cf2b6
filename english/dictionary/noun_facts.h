// What English nouns are like beyond their forms: whether they are counted, and which number their verbs have.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "english/listed_words.h"

namespace craft {

enum class Countability {
    unknown,
    counted,      // one of them needs an article or another determiner
    either,       // in one of its meanings it stands without an article: "dinner", "courage"
    mass,         // not counted, as a rule: "water", "education"
    uncountable,  // neither "an" nor "many" stands before it, and it has no plural: "advice"
};

// By the lists of share/english and by link-grammar's lists of words. Nouns are lemmas in small letters.
class NounFacts {
public:
    // `folder` has link-grammar's lists "words.n.1-const" and its like. Throws Error as read_file() and listed_words() do.
    static NounFacts load(const std::filesystem::path& folder);
    // As scripts/setup.sh --english installs them.
    static NounFacts installed();

    Countability countability(std::string_view noun) const;
    bool is_counted(std::string_view noun) const { return countability(noun) == Countability::counted; }

private:
    WordLines with_determiner_, without_determiner_;  // by link-grammar
};

// By the shipped lists alone; throw Error as listed_words() does.
bool is_uncountable(std::string_view noun);
bool is_mass(std::string_view noun);        // uncountable ones, too
bool is_collective(std::string_view noun);  // "team", "jury"
// A noun whose singular, or whose plural, takes verbs of either number: "team", "majority", "series".
bool has_either_number(std::string_view noun);

// Names in small letters; of days their plurals, too.
bool is_month(std::string_view word);
bool is_weekday(std::string_view word);

// "information" for "informations", "children" for "childrens"; none where the word is no wrong plural.
std::optional<std::string> right_for_wrong_plural(std::string_view word);
// "informations" for "information", "childrens" for "children": a plural that learners form of what has none; none where the
// word is no such noun.
std::optional<std::string> wrong_plural_of(std::string_view word);

// The words of one of link-grammar's lists, "car.n" and "balance.s" without what comes after the dot; compounds ("a_la")
// are left out.
WordLines link_grammar_words(std::string_view text);

}  // namespace craft
