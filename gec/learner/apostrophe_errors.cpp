// Apostrophes that are left out, or stand in a plural.
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

bool has_apostrophe(const std::string& text, std::string& without) {
    without = text;
    for (const std::string_view mark : {"'", "\xE2\x80\x99"})
        if (const size_t at = without.find(mark); at != std::string::npos) {
            without.erase(at, mark.size());
            return true;
        }
    return false;
}

}  // namespace

LearnerErrors apostrophe_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    LearnerErrors found;
    for (size_t i = 0; i < sentence.size(); ++i) {
        const EnglishToken& token = sentence[i];
        std::string without;
        // "it's" is a matter of confusion; "s'" at a plural's end leaves nothing of it.
        if (i > 0 && !sentence[i - 1].space_after && !sentence.is_lower(i - 1, {"it", "who", "you", "they"}) &&
            has_apostrophe(token.text, without) && without != "d" && !without.empty())
            found.push_back(sentence.instead_of(i, without).weighing(2));
        // "the dog's bark": a plural that is no name's and whose noun phrase ends with it.
        const bool ends_phrase =
            sentence[i].space_after && !sentence.is_tag(i + 1, {"NN", "NNS", "NNP", "JJ", "VBG", "VBN", "POS"});
        if (token.tag == "NNS" && token.lower.ends_with("s") && token.lower == token.text && ends_phrase &&
            sentence.is_whole_word(i) && language.forms().form(token.lemma, "NNS") == token.lower &&
            token.lemma + "s" == token.lower)
            found.push_back(sentence.instead_of(i, token.lemma + "'s").weighing(.3));
    }
    return found;
}

}  // namespace craft
