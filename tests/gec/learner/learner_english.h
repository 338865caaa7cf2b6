// English as the generator of learners' errors needs it, for tests; where it is not installed they are skipped.
#pragma once

#include <memory>
#include <string>

#include "english/pipeline.h"
#include "gec/learner/correct_sentence.h"
#include "gec/learner/learner_language.h"
#include "tests/english/dictionary/installed.h"
#include "tests/english/english_model.h"

#define CRAFT_NEEDS_LEARNER_ENGLISH()                              \
    CRAFT_NEEDS_ENGLISH_MODEL();                                   \
    CRAFT_NEEDS(EnglishDictionaryPlaces::installed().scowl);       \
    CRAFT_NEEDS(EnglishDictionaryPlaces::installed().inflections); \
    CRAFT_NEEDS(link_grammar_dictionary_file());                   \
    CRAFT_NEEDS(english_word_list_file())

namespace craft::test {

class LearnerEnglish {
public:
    LearnerEnglish()
        : pipeline_(EnglishPipeline::load(installed_english_model())),
          words_(WordList::load(english_word_list_file())),
          nouns_(NounFacts::installed()),
          language_(std::make_shared<EnglishDictionary>(), words_, nouns_) {}
    std::unique_ptr<CorrectSentence> read(const std::string& text) const {
        return std::make_unique<CorrectSentence>(text, pipeline_.annotate(text));
    }
    const LearnerLanguage& language() const { return language_; }

private:
    EnglishPipeline pipeline_;
    WordList words_;
    NounFacts nouns_;
    LearnerLanguage language_;
};

}  // namespace craft::test
