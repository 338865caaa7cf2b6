// What the errors of learners are made with: forms of words, and which words there are.
#pragma once

#include <string>
#include <string_view>

#include "english/dictionary/english_dictionary.h"
#include "english/dictionary/noun_facts.h"
#include "english/word_list.h"

namespace craft {

class LearnerLanguage {
public:
    // They must outlive it.
    LearnerLanguage(const EnglishDictionary& dictionary, const WordList& words, const NounFacts& nouns)
        : dictionary_(dictionary), words_(words), nouns_(nouns) {}

    // The usual form of a lemma for a tag of Inflections::forms(); empty: none.
    std::string form(std::string_view lemma, std::string_view tag) const;
    // Whether the word list or SCOWL's lists have it, or its small letters.
    bool is_word(const std::string& word) const;
    // Whether a noun in the singular can stand without an article: what is not known to be counted ("water"), and what does so in
    // set phrases ("at school").
    bool may_stand_bare(std::string_view noun) const;

private:
    const EnglishDictionary& dictionary_;
    const WordList& words_;
    const NounFacts& nouns_;
};

}  // namespace craft
