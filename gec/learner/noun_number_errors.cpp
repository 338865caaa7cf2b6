// Nouns in the wrong number, and plurals of what is not counted.
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

// The word before a noun that says how many there are; absent: none does.
std::optional<size_t> counting_word(const CorrectSentence& s, size_t noun) {
    return s.child(noun, {"nummod", "amod", "det"});
}

}  // namespace

LearnerErrors noun_number_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    const ParsedSentence& parse = sentence;
    LearnerErrors found;
    for (size_t i = 0; i < sentence.size(); ++i) {
        const EnglishToken& token = sentence[i];
        if (!sentence.is_tag(i, {"NN", "NNS"}) || !sentence.is_whole_word(i) || token.text != token.lower) continue;
        if (auto wrong = wrong_plural_of(token.lower))
            found.push_back(sentence.instead_of(i, std::move(*wrong)).weighing(3));
        if (is_one_of(token.dep, {"compound", "nmod", "npadvmod", "amod"}) || sentence.is_tag(i + 1, {"POS"})) continue;
        const auto before = counting_word(sentence, i);
        const bool is_near = before && *before<i&& * before + 4> i;
        if (token.tag == "NNS") {
            const std::string& one = token.lemma;
            if (one == token.lower || language.forms().form(one, "NNS") != token.lower) continue;
            const bool counts =
                is_near && ((sentence[*before].tag == "CD" && !sentence.is_lower(*before, {"one", "1"}) &&
                             !sentence.is_lower(*before + 1, {"-"})) ||
                            sentence.is_lower(*before, {"many", "several", "these", "those", "few", "both", "various"}));
            if (counts) found.push_back(sentence.instead_of(i, one).because_of(*before).weighing(2));
            // "one of the reason"
            const size_t head = token.head;
            if (token.dep == "pobj" && sentence.is_lower(head, {"of"}) && head > 0 &&
                sentence.is_lower(head - 1, {"one", "many", "several", "some"}))
                found.push_back(sentence.instead_of(i, one).because_of(head - 1).weighing(2));
            // "Shop are closed", "I like dog": a singular noun that is counted has an article.
            if (!parse.has_child(i, {"det", "poss", "nummod", "predet", "conj", "cc", "quantmod", "neg"}) &&
                token.dep != "conj" && !language.may_stand_bare(one) && token.lower.ends_with("s") &&
                !sentence.is_lower(i, {"people", "years", "times", "things"}) &&
                (sentence[i].head == 0 || !sentence.is_lower(sentence[i].head, {"by", "of"})))
                found.push_back(sentence.instead_of(i, one).because_of(sentence.phrase_begin(i)).weighing(.5));
        } else if (is_near && sentence.is_lower(*before, {"a", "an", "each", "every", "another", "one"})) {
            const std::string several = language.forms().form(token.lemma, "NNS");
            if (language.may_stand_bare(token.lemma) || several == token.lower || sentence.is_lower(i, {"lot", "number", "few"}))
                continue;
            found.push_back(sentence.instead_of(i, several).because_of(*before));
        }
    }
    return found;
}

}  // namespace craft
