// What the errors of learners are made with: forms of words, and which words there are.
#pragma once

#include <memory>
#include <string>

#include "english/dictionary/english_dictionary.h"
#include "english/dictionary/noun_facts.h"
#include "english/dictionary/word_forms.h"
#include "english/word_list.h"
#include "gec/learner/correct_sentence.h"

namespace craft {

class LearnerLanguage {
public:
    // `words` and `nouns` must outlive it. Throws Error as EnglishDictionary::inflections() does.
    LearnerLanguage(std::shared_ptr<const EnglishDictionary> dictionary, const WordList& words, const NounFacts& nouns)
        : dictionary_(std::move(dictionary)), forms_(dictionary_), words_(words), nouns_(nouns) {}

    const WordForms& forms() const { return forms_; }
    // Whether the word list or SCOWL's lists have it, or its small letters.
    bool is_word(const std::string& word) const;
    // Whether a noun in the singular can stand without an article right after the token `before`: one that is not known to
    // be counted ("water"), and one that does so in set phrases ("at school", "take place").
    bool may_stand_bare(const CorrectSentence& sentence, size_t noun, size_t before) const;

private:
    std::shared_ptr<const EnglishDictionary> dictionary_;
    WordForms forms_;
    const WordList& words_;
    const NounFacts& nouns_;
};

}  // namespace craft
