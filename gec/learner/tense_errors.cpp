// Tenses that an adverb of time, or the clause beside them, does not allow.
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

// What places a clause in the past: "yesterday", "ago", "last week", "in 1998".
bool is_past_time(const CorrectSentence& s, size_t token) {
    if (s.is_lower(token, {"yesterday", "ago"})) return true;
    if (s.is_lower(token, {"last"}))
        return s.is_lower(token + 1, {"week", "month", "year", "night", "summer", "winter", "spring", "autumn", "monday",
                                      "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"});
    return s[token].entity == "DATE" && s[token].tag == "CD" && s[token].text.size() == 4 &&
           (s[token].text.starts_with("1") || s[token].text.starts_with("200") || s[token].text.starts_with("201"));
}

bool is_plain_past(const CorrectSentence& s, size_t verb) {
    return s[verb].tag == "VBD" && s.is_whole_word(verb) && !s.has_child(verb, {"aux", "auxpass"});
}

// The present that agrees with the subject of the verb, or of the one that it is joined to.
std::string present_of(const CorrectSentence& s, const LearnerLanguage& language, size_t verb, size_t with_subject) {
    const auto subject = s.subject(with_subject);
    if (!subject) return "";
    if (s.is_lemma(verb, {"be"})) return s.is_lower(*subject, {"i"}) ? "am" : s.is_lower(verb, {"was"}) ? "is" : "are";
    const bool is_third = s.number(*subject) == GrammaticalNumber::singular;
    return language.forms().form(s[verb].lemma, is_third ? "VBZ" : "VBP");
}

void add(const CorrectSentence& s, size_t verb, std::string written, size_t evidence, double weight, LearnerErrors& found) {
    if (!written.empty() && written != s[verb].lower)
        found.push_back(s.instead_of(verb, std::move(written)).because_of(evidence).weighing(weight));
}

void at_past_time(const CorrectSentence& s, const LearnerLanguage& language, size_t time, LearnerErrors& found) {
    // The verb of the nearest clause around it.
    size_t verb = time;
    for (size_t steps = 0; steps < s.size() && !s[verb].tag.starts_with("VB") && !s.is_root(verb); ++steps)
        verb = s[verb].head;
    if (!is_plain_past(s, verb) || s[verb].dep == "relcl") return;
    for (size_t i = time; i != verb; i = s[i].head)
        if (is_one_of(s[i].dep, {"nsubj", "dobj", "attr", "conj", "relcl", "pcomp", "nsubjpass"}))
            return;  // it is of a noun
    add(s, verb, present_of(s, language, verb, verb), time, 2, found);
    const auto subject = s.subject(verb);
    if (!subject || s.is_lemma(verb, {"be", "have"})) return;
    const bool has = s.number(*subject) == GrammaticalNumber::singular;
    add(s, verb, std::string(has ? "has " : "have ") + language.forms().form(s[verb].lemma, "VBN"), time, 1, found);
}

// "If it will rain, we stay at home", "If I would have time, I would come"
void in_condition(const CorrectSentence& s, const LearnerLanguage& language, size_t verb, LearnerErrors& found) {
    const size_t head = s[verb].head;
    if (s[verb].dep != "advcl" || !s.subject(verb) || s.has_child(verb, {"aux", "auxpass", "neg"}) || !s.is_whole_word(verb))
        return;
    const auto mark = s.child(verb, {"mark", "advmod"});
    if (!mark || *mark > verb) return;
    bool would = false, will = s[head].tag == "VB";
    for (const size_t aux : s.children(head)) {
        would = would || (s[aux].dep == "aux" && s.is_lower(aux, {"would", "could"}));
        will = will || (s[aux].dep == "aux" && s.is_lower(aux, {"will", "can", "must", "should"}));
    }
    if (s.is_tag(verb, {"VBZ", "VBP"}) && will && !would &&
        s.is_lower(*mark, {"if", "when", "unless", "until", "before", "after", "once"}))
        add(s, verb, "will " + s[verb].lemma, *mark, 2, found);
    if (s[verb].tag == "VBD" && would && s.is_lower(*mark, {"if"}))
        add(s, verb, "would " + language.forms().form(s[verb].lemma, "VB"), *mark, 2, found);
}

// "I am knowing him": verbs that have no progressive.
void progressive(const CorrectSentence& s, const LearnerLanguage& language, size_t verb, LearnerErrors& found) {
    const auto subject = s.subject(verb);
    if (!subject || !s.is_tag(verb, {"VBZ", "VBP"}) || !s.is_whole_word(verb) || s.has_child(verb, {"aux", "neg"})) return;
    if (!listed_words("state_verbs").contains(s[verb].lemma)) return;
    const std::string_view be = s.is_lower(*subject, {"i"}) ? "am " : s.is_tag(verb, {"VBZ"}) ? "is " : "are ";
    add(s, verb, std::string(be) + language.forms().form(s[verb].lemma, "VBG"), *subject, 1, found);
}

// "When he has eaten, he left"
void perfect(const CorrectSentence& s, size_t aux, LearnerErrors& found) {
    const size_t verb = s[aux].head, head = s[verb].head;
    if (!s.is_lower(aux, {"had"}) || s[aux].dep != "aux" || s[verb].tag != "VBN" || !s.is_whole_word(aux) ||
        s.is_lower(aux + 1, {"n't"}))
        return;
    if (s[verb].dep != "advcl" || !is_plain_past(s, head) || s.has_child(head, {"aux"})) return;
    const auto subject = s.subject(verb);
    const auto mark = s.child(verb, {"mark", "advmod"});
    if (!subject || !mark || !s.is_lower(*mark, {"when", "after", "before", "until", "once", "because", "although"})) return;
    const bool one = s.number(*subject) == GrammaticalNumber::singular;
    found.push_back(s.instead_of(aux, one ? "has" : "have").because_of(head).weighing(1.5));
}

// "He opened the door and sees", "When he arrives, she left": one of two pasts is put into the present.
void beside_past(const CorrectSentence& s, const LearnerLanguage& language, size_t verb, LearnerErrors& found) {
    const size_t head = s[verb].head;
    if (!is_plain_past(s, verb) || !is_plain_past(s, head)) return;
    if (s[verb].dep == "conj" && head < verb && !s.subject(verb) && s.subject(head))
        add(s, verb, present_of(s, language, verb, head), head, 1, found);
    if (s[verb].dep != "advcl" || !s.subject(verb)) return;
    const auto mark = s.child(verb, {"advmod", "mark"});
    if (mark && *mark < verb && s.is_lower(*mark, {"when", "before", "after", "until", "while", "once"}))
        add(s, verb, present_of(s, language, verb, verb), head, 1.5, found);
}

// "He lives here since 1998"
void since_then(const CorrectSentence& s, const LearnerLanguage& language, size_t aux, LearnerErrors& found) {
    const size_t verb = s[aux].head;
    if (!s.is_tag(aux, {"VBZ", "VBP"}) || !s.is_lower(aux, {"has", "have"}) || s[aux].dep != "aux" || verb != aux + 1 ||
        s[verb].tag != "VBN" || !s.subject(verb) || !s.is_whole_word(aux))
        return;
    const std::string present = language.forms().agreeing(s[verb].lemma, s.is_lower(aux, {"has"}));
    for (const size_t child : s.children(verb)) {
        if (child < verb || !s.is_lower(child, {"since", "for"}) || s[child].dep != "prep") continue;
        const auto noun = s.child(child, {"pobj"});
        if (noun && s[*noun].entity == "DATE" && !present.empty())
            found.push_back(s.instead_of(aux, verb, present).because_of(*noun).weighing(2));
    }
}

}  // namespace

LearnerErrors tense_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    LearnerErrors found;
    for (size_t i = 0; i < sentence.size(); ++i) {
        if (is_past_time(sentence, i)) at_past_time(sentence, language, i, found);
        in_condition(sentence, language, i, found);
        progressive(sentence, language, i, found);
        perfect(sentence, i, found);
        beside_past(sentence, language, i, found);
    }
    for (size_t i = 0; i < sentence.size(); ++i) since_then(sentence, language, i, found);
    return found;
}

}  // namespace craft
