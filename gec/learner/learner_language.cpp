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

bool LearnerLanguage::may_stand_bare(const CorrectSentence& sentence, size_t noun, size_t before) const {
    static const WordLines& idioms = listed_words("idiom_nouns");
    if (!nouns_.is_counted(sentence[noun].lemma)) return true;
    const bool is_after = sentence.is_tag(before, {"IN", "TO"}) || sentence.tag(before).starts_with("VB");
    return is_after && idioms.contains(sentence[noun].lemma);
}

}  // namespace craft
