// Adverbs, adjectives and verbs of questions in a place where English does not have them.
#include "english/indefinite_article.h"
#include "gec/learner/error_kinds.h"
#include "text/utf8.h"

namespace craft {

namespace {

std::string joined(const CorrectSentence& s, size_t first, size_t last) {
    const size_t begin = s[first].byte;
    return s.text().substr(begin, s[last].byte + s[last].text.size() - begin);
}

// The tokens from `first` to `last` with those before `middle` after the others.
void swap_words(const CorrectSentence& s, size_t first, size_t middle, size_t last, double weight, LearnerErrors& found) {
    if (!s[middle - 1].space_after || (first > 0 && !s[first - 1].space_after)) return;
    std::string front = joined(s, first, middle - 1);
    const std::string back = joined(s, middle, last);
    if (first == 0)
        front = s[0].tag.starts_with("NNP") || s[0].text == "I" ? front : lowercase(front.substr(0, 1)) + front.substr(1);
    found.push_back(s.instead_of(first, last, back + " " + front).weighing(weight));
}

// "I drink always tea"
void move_adverb(const CorrectSentence& s, size_t word, LearnerErrors& found) {
    const size_t verb = s[word].head;
    if (!s.is_lower(word, {"always", "never", "often", "usually", "also", "already", "still", "sometimes", "seldom",
                           "rarely", "soon", "finally", "probably", "really", "quickly", "slowly", "carefully"}))
        return;
    if (s[word].dep != "advmod" || verb != word + 1 || s[verb].pos != "VERB" || word == 0) return;
    const auto object = s.child(verb, {"dobj"});
    if (object && *object > verb && s.phrase_begin(*object) == verb + 1 && !s.is_tag(verb + 1, {"PRP", "WP", "WDT"}))
        swap_words(s, word, verb, verb, 2, found);
}

// "Where you have been?" and, within a sentence, "I know where is he".
void order_question(const CorrectSentence& s, size_t word, LearnerErrors& found) {
    if (!s.is_lower(word, {"what", "where", "when", "why", "how", "who"}) || !s.is_tag(word, {"WP", "WRB"})) return;
    const size_t at = word + 1;
    if (at + 2 >= s.size()) return;
    if (word == 0 && s[s.size() - 1].text == "?") {
        if (!s.is_tag(at, {"VBZ", "VBP", "VBD", "MD"}) || !s.is_whole_word(at)) return;
        const size_t verb = is_one_of(s[at].dep, {"aux", "auxpass"}) ? s[at].head : at;
        const auto subject = s.child(verb, {"nsubj", "nsubjpass"});
        if (subject && *subject > at && s.phrase_begin(*subject) == at + 1 && s.phrase_end(*subject) <= at + 4)
            swap_words(s, at, at + 1, s.phrase_end(*subject), 3, found);
        return;
    }
    if (word == 0) return;
    // A clause that asks, whose verb comes last but for marks.
    const auto verb = s[word].head;
    if (!is_one_of(s[verb].dep, {"ccomp", "pcomp"}) || !s.is_lower(verb, {"is", "was", "are", "were"})) return;
    const auto subject = s.child(verb, {"nsubj"});
    if (subject && *subject > word && s.phrase_begin(*subject) == at && s.phrase_end(*subject) + 1 == verb)
        swap_words(s, at, verb, verb, 3, found);
}

// "a car red"
void move_adjective(const CorrectSentence& s, size_t word, LearnerErrors& found) {
    const size_t noun = word + 1;
    if (word == 0 || !s.is_tag(word, {"JJ"}) || s[word].dep != "amod" || s[word].head != noun ||
        !s.is_tag(noun, {"NN", "NNS"}))
        return;
    if (s[noun].dep == "compound" || !s.children(word).empty() || !s.is_whole_word(word) || !s.is_whole_word(noun)) return;
    if (s.is_lower(word - 1, {"a", "an"}) && !may_stand_before(s[word - 1].lower, s[noun].text)) return;
    if (!s.is_tag(word - 1, {"DT", "PRP$", "CD"}) ||
        s.is_lower(word, {"other", "same", "own", "such", "possible", "available"}))
        return;
    // After it an adjective may begin a phrase: "a man proud of ...".
    if (s.is_tag(noun + 1, {"IN", "TO", "NN", "NNS", "VBG", "CC", "RP"})) return;
    swap_words(s, word, noun, noun, .4, found);
}

// "enough good"
void order_enough(const CorrectSentence& s, size_t word, LearnerErrors& found) {
    if (word > 0 && s.is_lower(word, {"enough"}) && s[word].head == word - 1 && s.is_tag(word - 1, {"JJ", "RB"}))
        swap_words(s, word - 1, word, word, 3, found);
}

}  // namespace

LearnerErrors word_order_errors(const CorrectSentence& sentence, const LearnerLanguage&) {
    LearnerErrors found;
    for (size_t i = 0; i + 1 < sentence.size(); ++i) {
        move_adverb(sentence, i, found);
        order_question(sentence, i, found);
        move_adjective(sentence, i, found);
        order_enough(sentence, i, found);
    }
    return found;
}

}  // namespace craft
