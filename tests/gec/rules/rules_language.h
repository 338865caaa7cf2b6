// What scripts/setup.sh --english installs, read once for the tests of rules.
#pragma once

#include <memory>

#include "english/lazy_pipeline.h"
#include "english/pipeline.h"
#include "gec/rules/correction_language.h"
#include "gec/rules/proposals.h"
#include "tests/english/dictionary/installed.h"
#include "tests/english/english_model.h"

#define CRAFT_NEEDS_RULES_LANGUAGE()                                 \
    CRAFT_NEEDS_ENGLISH_MODEL();                                     \
    CRAFT_NEEDS(craft::american_word_list_file());                   \
    CRAFT_NEEDS(craft::english_word_list_file());                    \
    CRAFT_NEEDS(craft::EnglishDictionaryPlaces::installed().counts); \
    CRAFT_NEEDS(craft::EnglishDictionaryPlaces::installed().inflections)

namespace craft::test {

inline std::shared_ptr<const LazyEnglishPipeline> rules_english() {
    static const auto english = std::make_shared<const LazyEnglishPipeline>(installed_english_model());
    return english;
}

inline std::shared_ptr<const CorrectionLanguage> rules_language() {
    static const auto language = std::make_shared<const CorrectionLanguage>(CorrectionLanguage::installed());
    return language;
}

inline CorrectionProposals proposals_for(const std::string& sentence) {
    const WrittenSentence checked(sentence, rules_english()->get().annotate(sentence));
    return propose_corrections(checked, *rules_language());
}

}  // namespace craft::test
