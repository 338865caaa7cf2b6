// Nouns in the wrong number, and plurals of what is not counted.
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

// The word right before a noun or nearly so that says how many there are; absent: none does.
std::optional<size_t> counting_word(const CorrectSentence& s, size_t noun) {
    const auto word = s.child(noun, {"nummod", "amod", "det"});
    return word && *word<noun&& * word + 4> noun ? word : std::nullopt;
}

// "two dog", "one of the reason", "I like dog"
void leave_out_plural(const CorrectSentence& s, const LearnerLanguage& language, size_t noun, LearnerErrors& found) {
    const std::string& one = s[noun].lemma;
    if (one == s[noun].lower || language.forms().form(one, "NNS") != s[noun].lower) return;
    const auto before = counting_word(s, noun);
    const bool is_number =
        before && s[*before].tag == "CD" && !s.is_lower(*before, {"one", "1"}) && !s.is_lower(*before + 1, {"-"});
    if (is_number || (before && s.is_lower(*before, {"many", "several", "these", "those", "few", "both", "various"})))
        found.push_back(s.instead_of(noun, one).because_of(*before).weighing(2));
    const size_t head = s[noun].head;
    if (s[noun].dep == "pobj" && s.is_lower(head, {"of"}) && head > 0 &&
        s.is_lower(head - 1, {"one", "many", "several", "some"}))
        found.push_back(s.instead_of(noun, one).because_of(head - 1).weighing(2));
    // A singular noun that is counted has an article.
    const bool is_alone = s[noun].dep != "conj" &&
                          !s.has_child(noun, {"det", "poss", "nummod", "predet", "conj", "cc", "quantmod", "neg"}) &&
                          (head == 0 || !s.is_lower(head, {"by", "of"}));
    if (is_alone && !language.may_stand_bare(s, noun, noun - 1) && s[noun].lower.ends_with("s") &&
        !s.is_lower(noun, {"people", "years", "times", "things"}))
        found.push_back(s.instead_of(noun, one).because_of(s.phrase_begin(noun)).weighing(.5));
}

// "a dogs", "every books"
void put_in_plural(const CorrectSentence& s, const LearnerLanguage& language, size_t noun, LearnerErrors& found) {
    const auto before = counting_word(s, noun);
    if (!before || !s.is_lower(*before, {"a", "an", "each", "every", "another", "one"})) return;
    const std::string several = language.forms().form(s[noun].lemma, "NNS");
    if (!language.may_stand_bare(s, noun, noun - 1) && several != s[noun].lower &&
        !s.is_lower(noun, {"lot", "number", "few"}))
        found.push_back(s.instead_of(noun, several).because_of(*before));
}

}  // namespace

LearnerErrors noun_number_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    LearnerErrors found;
    for (size_t i = 0; i < sentence.size(); ++i) {
        const EnglishToken& token = sentence[i];
        if (!sentence.is_tag(i, {"NN", "NNS"}) || !sentence.is_whole_word(i) || token.text != token.lower) continue;
        if (auto wrong = wrong_plural_of(token.lower))
            found.push_back(sentence.instead_of(i, std::move(*wrong)).weighing(3));
        if (is_one_of(token.dep, {"compound", "nmod", "npadvmod", "amod"}) || sentence.is_tag(i + 1, {"POS"})) continue;
        if (token.tag == "NNS")
            leave_out_plural(sentence, language, i, found);
        else
            put_in_plural(sentence, language, i, found);
    }
    return found;
}

}  // namespace craft
