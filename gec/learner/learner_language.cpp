#include "gec/learner/learner_language.h"

#include "text/utf8.h"

namespace craft {

namespace {

// SCOWL's classes beyond this one hold words that hardly anybody knows ("teached").
constexpr double kLargestClass = .8;

}  // namespace

bool LearnerLanguage::is_word(const std::string& word) const {
    const std::string lower = lowercase(word);
    return words_.knows(word) || words_.knows(lower) || dictionary_->by_size().of(lower) <= kLargestClass;
}

bool LearnerLanguage::may_stand_bare(std::string_view noun) const {
    static const WordLines& idioms = listed_words("idiom_nouns");
    return !nouns_.is_counted(noun) || idioms.contains(noun);
}

}  // namespace craft
