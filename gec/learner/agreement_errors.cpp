// Verbs that do not agree with their subjects.
#include "english/dictionary/subject_number.h"
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

// The same word for the other number; empty: it has none.
std::string verb_of_other_number(const CorrectSentence& s, const LearnerLanguage& language, size_t verb) {
    const EnglishToken& token = s[verb];
    if (token.lower == "is") return "are";
    if (token.lower == "are") return "is";
    if (token.lower == "was") return "were";
    if (token.lower == "were") return "was";
    if (token.lower == "am") return "is";
    if (token.lower == "has") return "have";
    if (token.lower == "have") return "has";
    if (token.lower == "does") return "do";
    if (token.lower == "do") return "does";
    if (token.tag == "VBZ") return language.forms().form(token.lemma, "VBP");
    if (token.tag == "VBP" && token.lower == token.lemma) return language.forms().form(token.lemma, "VBZ");
    return "";
}

// What a verb of the other number may go with, too.
bool is_of_either_number(const CorrectSentence& s, size_t noun) {
    static const WordLines& units = listed_words("units");
    return units.contains(s[noun].lemma) || s.is_lemma(noun, {"what", "who", "which", "that"}) ||
           s.is_tag(noun, {"CD", "NNPS", "WDT", "WP", "DT"}) || s[noun].entity == "ORG" || s[noun].entity == "GPE" ||
           s[noun].entity == "QUANTITY" || subject_number(s, noun) == GrammaticalNumber::unknown;
}

// "If he were", "as though it was".
bool may_be_subjunctive(const CorrectSentence& s, size_t verb) {
    const std::vector<size_t>& children = s.children(verb);
    return std::any_of(children.begin(), children.end(), [&](size_t one) {
        return s[one].dep == "mark" && s.is_lower(one, {"if", "though", "lest"});
    });
}

}  // namespace

LearnerErrors agreement_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    LearnerErrors found;
    for (size_t verb = 0; verb < sentence.size(); ++verb) {
        const auto subject = sentence.subject(verb);
        const auto finite = subject ? sentence.finite_word(verb) : std::nullopt;
        if (!finite || !sentence[*finite].text.starts_with(sentence[*finite].lower)) continue;
        if (!sentence[*finite].space_after && !sentence.is_lower(*finite + 1, {"n't", "n\xE2\x80\x99t", ",", ".", "?"}))
            continue;
        if (*finite > 0 && !sentence[*finite - 1].space_after) continue;
        const std::string other = verb_of_other_number(sentence, language, *finite);
        if (other.empty() || other == sentence[*finite].lower || may_be_subjunctive(sentence, verb)) continue;
        const bool is_person = sentence.is_lower(*subject, {"i", "you", "we", "they", "he", "she", "it"});
        const bool is_there = sentence[*subject].dep == "expl" && sentence.is_lower(*subject, {"there"});
        size_t counted = *subject;
        if (is_there) {
            const auto attribute = sentence.child(verb, {"attr", "dobj"});
            if (!attribute) continue;
            counted = *attribute;
        }
        if (!is_person) {
            if (is_of_either_number(sentence, counted) || !sentence.agrees(verb, subject_number(sentence, counted)))
                continue;
            if (sentence.has_child(counted, {"cc", "conj"}) &&
                (is_there || !sentence.is_lower(*finite, {"are", "were", "have", "do"})))
                continue;
        }
        if (sentence.is_lower(*subject, {"it"}) && *subject > *finite) continue;
        found.push_back(sentence.instead_of(*finite, other).because_of(counted).because_of(*subject));
    }
    return found;
}

}  // namespace craft
