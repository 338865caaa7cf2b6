// Small words that a clause cannot do without: forms of be, auxiliaries, subjects, conjunctions.
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

// "gone", "broken": no past form, which a clause could do with.
bool is_participle_alone(const WordForms& forms, const std::string& word) {
    const auto verb = forms.irregular_verb_of(word);
    return verb && forms.is_form(word, *verb, "VBN") && !forms.is_form(word, *verb, "VBD");
}

// Whether a form of "be" can be left out: "He happy", "they going". "The house built ..." could continue, and "he built" is
// right.
bool is_be_needed(const CorrectSentence& s, size_t be, size_t main, size_t subject) {
    if (s.is_lower(be + 1, {"not"}) || s.is_tag(be + 1, {"IN", "TO"})) return false;
    return main == be || s[main].tag != "VBN" || (!s[main].lower.ends_with("ed") && s[subject].tag != "PRP");
}

// "He not go", "he go", "he gone"
void leave_out_auxiliary(const CorrectSentence& s, const LearnerLanguage& language, size_t word, size_t main, size_t subject,
                         LearnerErrors& found) {
    if (s.is_lower(word, {"did", "does", "do"}) && s.is_lower(word + 1, {"not"}))
        found.push_back(s.without(word).because_of(main).weighing(2));
    const bool shows = s.is_lemma(main, {"be"}) || s.number(subject) == GrammaticalNumber::singular;
    if (s.is_lower(word, {"will", "would", "can", "could", "must"}) && s[main].tag == "VB" && shows &&
        !s.has_child(subject, {"conj"}))
        found.push_back(s.without(word).because_of(main).because_of(subject));
    if (s.is_lower(word, {"has", "have", "had"}) && s[main].tag == "VBN" && main == word + 1 &&
        is_participle_alone(language.forms(), s[main].lower))
        found.push_back(s.without(word).because_of(subject));
}

// The main clause is left without its finite verb.
void leave_out_verb(const CorrectSentence& s, const LearnerLanguage& language, size_t word, LearnerErrors& found) {
    const size_t main = is_one_of(s[word].dep, {"aux", "auxpass"}) ? s[word].head : word;
    if (s[main].dep != "ROOT" || !s.is_whole_word(word)) return;
    const auto subject = s.subject(main);
    if (!subject || *subject >= word || s[*subject].dep == "expl") return;
    if (s.is_lower(word, {"is", "are", "was", "were", "am"})) {
        if (!is_be_needed(s, word, main, *subject)) return;
        found.push_back(s.without(word).because_of(*subject).because_of(main).weighing(2));
    }
    if (main != word) leave_out_auxiliary(s, language, word, main, *subject, found);
}

// "because is late"
void leave_out_subject(const CorrectSentence& s, size_t word, LearnerErrors& found) {
    if (!s.is_lower(word, {"it", "he", "she", "they", "we", "i"}) || !s.is_whole_word(word)) return;
    if (!is_one_of(s[word].dep, {"nsubj", "nsubjpass"}) || word == 0 || !s.is_tag(word + 1, {"VBZ", "VBD", "VBP", "MD"}))
        return;
    const auto mark = s.child(s[word].head, {"mark", "advmod"});
    if (mark && *mark + 1 == word && s.is_lower(*mark, {"because", "that", "if", "when", "although", "while", "until"}) &&
        !(s.is_lower(*mark, {"that"}) && s.is_tag(*mark - 1, {"NN", "NNS", "NNP"})))
        found.push_back(s.without(word).because_of(*mark).weighing(2));
}

// "The man lives here is my uncle"
void leave_out_relative(const CorrectSentence& s, size_t word, LearnerErrors& found) {
    if (!s.is_lower(word, {"who", "which", "that"}) || s[word].dep != "nsubj" || word < 2 || s[s[word].head].dep != "relcl")
        return;
    const size_t noun = s[s[word].head].head;
    if (noun + 1 != word || !s[noun].dep.starts_with("nsubj") || s[s[noun].head].dep != "ROOT" ||
        s[noun].head < s[word].head)
        return;
    if (s.is_tag(word + 1, {"VBZ", "VBD", "VBP", "MD"}))
        found.push_back(s.without(word).because_of(noun).because_of(s[noun].head).weighing(2));
}

// "salt pepper"
void leave_out_conjunction(const CorrectSentence& s, size_t word, LearnerErrors& found) {
    const size_t first = s[word].head;
    if (!s.is_lower(word, {"and", "or"}) || s[word].dep != "cc" || first + 1 != word ||
        !s.is_tag(first, {"NN", "NNS", "PRP", "NNP"}))
        return;
    if (s[first].dep == "conj" || s[first].dep == "compound" || !s.is_tag(word + 1, {"DT", "PRP$", "PRP"})) return;
    found.push_back(s.without(word).because_of(word + 1).weighing(.5));
}

// "It is hot outside" without "it" at its beginning.
void leave_out_first_it(const CorrectSentence& s, LearnerErrors& found) {
    if (s[0].text == "It" && s[0].dep == "nsubj" && s.is_lower(1, {"is", "was", "has"}) && s[s[0].head].dep == "ROOT" &&
        s[s.size() - 1].text == "." && s.is_whole_word(0))
        found.push_back(s.without(0).because_of(1));
}

}  // namespace

LearnerErrors missing_word_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    LearnerErrors found;
    leave_out_first_it(sentence, found);
    for (size_t i = 1; i + 1 < sentence.size(); ++i) {
        if (sentence.is_tag(i, {"VBZ", "VBP", "VBD", "MD"})) leave_out_verb(sentence, language, i, found);
        leave_out_subject(sentence, i, found);
        leave_out_relative(sentence, i, found);
        leave_out_conjunction(sentence, i, found);
    }
    return found;
}

}  // namespace craft
