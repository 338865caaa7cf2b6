// Words that say again what the sentence says already.
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

// Of nouns that are no person's, "it" is the pronoun.
bool may_be_person(const CorrectSentence& s, size_t noun) {
    const std::string& lemma = s[noun].lemma;
    return s[noun].tag == "NNP" || lemma.ends_with("er") || lemma.ends_with("or") || lemma.ends_with("ist") ||
           lemma.ends_with("ian") || lemma.ends_with("man") || lemma.ends_with("ant") || lemma.ends_with("ent") ||
           lemma.ends_with("ee");
}

// "My brother he works"
void subject_again(const CorrectSentence& s, size_t subject, LearnerErrors& found) {
    if (s[subject].dep != "nsubj" || !s.is_tag(subject, {"NN", "NNS", "NNP"}) || s.has_child(subject, {"relcl", "acl"}))
        return;
    const size_t next = s.phrase_end(subject) + 1;
    const size_t main = s[subject].head;
    if (!s.is_tag(next, {"VBZ", "VBD", "VBP"}) || (next != main && s[next].head != main) || !s[next - 1].space_after) return;
    const bool is_person =
        s[subject].entity == "PERSON" || s.is_lemma(subject, {"man", "father", "brother", "uncle", "son", "husband",
                                                              "teacher", "driver", "boy", "mayor", "king"});
    const bool is_woman =
        s.is_lemma(subject, {"woman", "mother", "sister", "aunt", "daughter", "wife", "girl", "queen", "lady"});
    const bool several = s.number(subject) == GrammaticalNumber::plural;
    if (!several && !is_person && !is_woman && may_be_person(s, subject)) return;
    const std::string_view pronoun = several ? "they" : is_woman ? "she" : is_person ? "he" : "it";
    found.push_back(s.put_in_before(next, pronoun).because_of(subject).weighing(1));
}

// "Although ..., but ...", "Because ..., so ..."
void conjunction_again(const CorrectSentence& s, LearnerErrors& found) {
    const bool is_although = s.is_lower(0, {"although", "though"});
    if (!is_although && !s.is_lower(0, {"because", "since"})) return;
    for (size_t i = 2; i + 1 < s.size(); ++i)
        if (s.is_lower(i, {","}) && s[s[i].head].dep == "ROOT" && s[0].head < i && s[s[0].head].dep == "advcl" &&
            s[s[0].head].head > i) {
            found.push_back(s.put_in_before(i + 1, is_although ? "but" : "so").because_of(0).weighing(4));
            return;
        }
}

void of_degree(const CorrectSentence& s, size_t word, LearnerErrors& found) {
    if (!s.is_whole_word(word) || word == 0) return;
    if (s.is_tag(word, {"JJR", "RBR"}) && s[word].lower.ends_with("er") &&
        !s.is_lower(word, {"other", "later", "further", "former", "rather"}) &&
        !s.is_lower(word - 1, {"more", "the", "less", "no"}))
        found.push_back(s.put_in_before(word, "more").weighing(3));
    if (s.is_tag(word, {"JJS"}) && s[word].lower.ends_with("est") && s.is_lower(word - 1, {"the"}))
        found.push_back(s.put_in_before(word, "most").weighing(3));
}

void around_verb(const CorrectSentence& s, size_t word, LearnerErrors& found) {
    if (!s.is_whole_word(word)) return;
    // "I am agree", "he is works"
    const auto subject = s.subject(word);
    if (subject && *subject + 1 == word && s.is_tag(word, {"VBZ", "VBP"}) && s[word].pos == "VERB" &&
        s.is_tag(*subject, {"PRP"}) && !s.is_lemma(word, {"be", "have", "do"})) {
        const std::string_view be = s.is_lower(*subject, {"i"}) ? "am" : s.is_tag(word, {"VBZ"}) ? "is" : "are";
        found.push_back(s.put_in_before(word, be).because_of(*subject).weighing(2));
    }
    if (s.is_lower(word, {"can", "could"}) && s.is_tag(word + 1, {"VB"}) && s[word].head == word + 1 &&
        !s.is_lemma(word + 1, {"be", "have"}))
        found.push_back(s.put_in_before(word + 1, "able to").because_of(word).weighing(.5));
    if (s.is_lemma(word, {"return"}) && s.is_lower(word + 1, {"to"}) && s[word].pos == "VERB")
        found.push_back(s.put_in_before(word + 1, "back").weighing(1));
    if (s.is_lemma(word, {"repeat"}) && s[word].pos == "VERB" && s.is_tag(word + 1, {"DT"}))
        found.push_back(s.put_in_before(word + 1, "again"));
    // "will can go"
    if (s.is_tag(word, {"MD"}) && s.is_lower(word, {"will", "must", "should"}) && s.is_tag(word + 1, {"VB"}) &&
        s[word].space_after && !s.is_lemma(word + 1, {"have"}))
        found.push_back(s.put_in_before(word + 1, "can").because_of(word).weighing(.3));
}

}  // namespace

LearnerErrors redundant_word_errors(const CorrectSentence& sentence, const LearnerLanguage&) {
    LearnerErrors found;
    conjunction_again(sentence, found);
    for (size_t i = 0; i + 1 < sentence.size(); ++i) {
        subject_again(sentence, i, found);
        of_degree(sentence, i, found);
        around_verb(sentence, i, found);
    }
    return found;
}

}  // namespace craft
