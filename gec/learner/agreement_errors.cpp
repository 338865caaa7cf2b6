// Verbs that do not agree with their subjects.
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

// Nouns of one or of many, as the writer likes, and measures.
bool is_of_either_number(const CorrectSentence& s, size_t noun) {
    return has_either_number(s[noun].lemma) ||
           s.lemma_is(noun, {"pound", "mile", "kilometre", "tonne", "metre", "minute", "hour", "year", "week", "month", "day",
                             "dollar", "euro", "what", "who", "none", "all", "some", "most", "any", "which", "that"}) ||
           s[noun].tag == "CD" || s[noun].tag == "NNPS" || s[noun].tag == "WDT" || s[noun].tag == "WP" ||
           s[noun].tag == "DT" || s[noun].entity == "ORG" || s[noun].entity == "GPE" || s[noun].entity == "QUANTITY";
}

// "If he were", "as though it was".
bool may_be_subjunctive(const CorrectSentence& s, size_t verb) {
    const std::vector<size_t>& children = s.parse().children(verb);
    return std::any_of(children.begin(), children.end(), [&](size_t one) {
        return s[one].dep == "mark" && s.is(one, {"if", "though", "lest"});
    });
}

}  // namespace

LearnerErrors agreement_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    const ParsedSentence& parse = sentence.parse();
    LearnerErrors found;
    for (size_t verb = 0; verb < sentence.size(); ++verb) {
        const auto subject = parse.subject(verb);
        const auto finite = subject ? parse.finite_word(verb) : std::nullopt;
        if (!finite || !sentence[*finite].text.starts_with(sentence[*finite].lower)) continue;
        if (!sentence[*finite].space_after && !sentence.is(*finite + 1, {"n't", "n\xE2\x80\x99t", ",", ".", "?"})) continue;
        if (*finite > 0 && !sentence[*finite - 1].space_after) continue;
        const std::string other = verb_of_other_number(sentence, language, *finite);
        if (other.empty() || other == sentence[*finite].lower || may_be_subjunctive(sentence, verb)) continue;
        const bool is_person = sentence.is(*subject, {"i", "you", "we", "they", "he", "she", "it"});
        const bool is_there = sentence[*subject].dep == "expl" && sentence.is(*subject, {"there"});
        size_t counted = *subject;
        if (is_there) {
            const auto attribute = parse.child(verb, {"attr", "dobj"});
            if (!attribute) continue;
            counted = *attribute;
        }
        if (!is_person) {
            if (is_of_either_number(sentence, counted) || !parse.agrees(verb, parse.number(counted))) continue;
            if (parse.number(counted) == GrammaticalNumber::unknown) continue;
            if (parse.has_child(counted, {"cc", "conj"}) &&
                (is_there || !sentence.is(*finite, {"are", "were", "have", "do"})))
                continue;
        }
        if (sentence.is(*subject, {"it"}) && *subject > *finite) continue;
        found.push_back(sentence.instead_of(*finite, other).because_of(counted).because_of(*subject));
    }
    return found;
}

}  // namespace craft
