// What the errors of learners are made with: forms of words, and which words there are.
#pragma once

#include <string>
#include <string_view>

#include "english/dictionary/english_dictionary.h"
#include "english/word_list.h"

namespace craft {

class LearnerLanguage {
public:
    // Both must outlive it.
    LearnerLanguage(const EnglishDictionary& dictionary, const WordList& words) : dictionary_(dictionary), words_(words) {}

    // The usual form of a lemma for a tag of Inflections::forms(); empty: none.
    std::string form(std::string_view lemma, std::string_view tag) const;
    // Whether the word list or SCOWL's lists have it, or its small letters.
    bool is_word(const std::string& word) const;
    // Whether a noun in the singular can stand without an article ("water", "work"): a list, and what
    // ends like an abstract noun. A noun that the table of forms lacks is taken for one.
    bool may_be_mass(std::string_view noun) const;

private:
    const EnglishDictionary& dictionary_;
    const WordList& words_;
};

}  // namespace craft
