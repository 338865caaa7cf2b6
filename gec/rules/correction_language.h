// What rules of correction ask of English beyond a parse: forms, spelling, how usual words are.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "english/dictionary/english_dictionary.h"
#include "english/dictionary/word_forms.h"
#include "english/word_list.h"
#include "gec/rules/correction_words.h"

namespace craft {

class CorrectionLanguage {
public:
    // Word lists are asked one after the other: a word that one of them has is right (British and American English). Throws
    // Error as EnglishDictionary::inflections() does.
    CorrectionLanguage(CorrectionWords words, std::shared_ptr<const EnglishDictionary> dictionary,
                       std::vector<WordList> word_lists);
    // The words that ship and what scripts/setup.sh --english installs. Throws Error as these do.
    static CorrectionLanguage installed();

    const CorrectionWords& words() const { return words_; }
    bool knows(const std::string& word) const;
    // Words of the lists that may have been meant, by how little they differ from `word` and how usual they are; at most
    // `most`. Kept for later calls. May be called from several threads at once.
    std::vector<std::string> spellings(const std::string& word, size_t most) const;
    // 0: everybody uses it, to 1: hardly ever met (WordDifficulty by count).
    double rarity(std::string_view word) const { return dictionary_->by_count().of(word); }
    const WordForms& forms() const { return forms_; }

private:
    struct Known;
    CorrectionWords words_;
    std::shared_ptr<const EnglishDictionary> dictionary_;
    WordForms forms_;
    std::vector<WordList> word_lists_;
    std::shared_ptr<Known> known_;
};

}  // namespace craft
