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
    const ParsedSentence& parse = s;
    const size_t head = s[verb].head;
    if (s[verb].dep != "advcl" || !parse.subject(verb) || parse.has_child(verb, {"aux", "auxpass", "neg"}) ||
        !s.is_whole_word(verb))
        return;
    const auto mark = parse.child(verb, {"mark", "advmod"});
    if (!mark || *mark > verb) return;
    bool would = false, will = s[head].tag == "VB";
    for (const size_t aux : parse.children(head)) {
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
    if (!subject || !s.is_tag(verb, {"VBZ", "VBP"}) || !s.is_whole_word(verb) || s.has_child(verb, {"aux", "neg"}))
        return;
    if (!s.is_lemma(verb, {"know", "want", "need", "believe", "understand", "belong", "consist", "own", "seem", "contain",
                           "mean", "depend", "deserve", "prefer", "include", "exist", "matter", "remember"}))
        return;
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

}  // namespace

LearnerErrors tense_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    const ParsedSentence& parse = sentence;
    LearnerErrors found;
    for (size_t i = 0; i < sentence.size(); ++i) {
        if (is_past_time(sentence, i)) at_past_time(sentence, language, i, found);
        in_condition(sentence, language, i, found);
        progressive(sentence, language, i, found);
        perfect(sentence, i, found);
        if (!is_plain_past(sentence, i)) continue;
        const size_t head = sentence[i].head;
        // "He opened the door and sees": one subject, one tense.
        if (sentence[i].dep == "conj" && head < i && is_plain_past(sentence, head) && !parse.subject(i) &&
            parse.subject(head))
            add(sentence, i, present_of(sentence, language, i, head), head, 1, found);
        // "When he arrives, she left"
        if (sentence[i].dep == "advcl" && is_plain_past(sentence, head) && parse.subject(i)) {
            const auto mark = parse.child(i, {"advmod", "mark"});
            if (mark && *mark < i && sentence.is_lower(*mark, {"when", "before", "after", "until", "while", "once"}))
                add(sentence, i, present_of(sentence, language, i, i), head, 1.5, found);
        }
    }
    for (size_t i = 0; i + 1 < sentence.size(); ++i) {
        // "He lives here since 1998"
        const size_t verb = sentence[i].head;
        if (!sentence.is_tag(i, {"VBZ", "VBP"}) || !sentence.is_lower(i, {"has", "have"}) || sentence[i].dep != "aux" ||
            verb != i + 1 || sentence[verb].tag != "VBN" || !parse.subject(verb))
            continue;
        for (const size_t child : parse.children(verb))
            if (child > verb && sentence.is_lower(child, {"since", "for"}) && sentence[child].dep == "prep") {
                const auto noun = parse.child(child, {"pobj"});
                if (!noun || sentence[*noun].entity != "DATE") continue;
                const std::string present =
                    sentence.is_lemma(verb, {"be"})
                        ? (sentence.is_lower(i, {"has"}) ? "is" : "are")
                        : language.forms().form(sentence[verb].lemma, sentence.is_lower(i, {"has"}) ? "VBZ" : "VBP");
                if (sentence.is_whole_word(i) && !present.empty())
                    found.push_back(sentence.instead_of(i, verb, present).because_of(*noun).weighing(2));
            }
    }
    return found;
}

}  // namespace craft
