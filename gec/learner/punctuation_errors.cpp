// Commas that are left out, put in, or stand where two sentences meet; marks at the end.
#include "gec/learner/error_kinds.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool is_comma(const CorrectSentence& s, size_t token) {
    return s.is_lower(token, {","});
}

// The comma after what comes before the main clause: "When it rained, ...", "However, ...".
void introductory(const CorrectSentence& s, LearnerErrors& found) {
    if (s.is_lower(0, {"however", "therefore", "moreover", "furthermore", "nevertheless", "finally", "firstly", "secondly",
                       "besides", "unfortunately", "fortunately", "yes", "no"}) &&
        is_comma(s, 1))
        found.push_back(s.without(1).weighing(2));
    if (!s.is_lower(0, {"when", "if", "although", "though", "because", "while", "after", "before", "since", "once", "unless",
                        "as", "whenever", "until"}))
        return;
    size_t verb = 0;
    for (size_t i = 1; i < s.size(); ++i)
        if (s[i].dep == "ROOT") verb = i;
    for (size_t i = 2; i + 1 < s.size() && i < verb; ++i)
        if (is_comma(s, i) && s[i].head == verb && s[s[0].head].dep == "advcl" && s[0].head < i) {
            found.push_back(s.without(i).because_of(0).weighing(2.5));
            return;
        }
}

// "I called, but he had left": two clauses, each with its subject.
void between_clauses(const CorrectSentence& s, size_t comma, LearnerErrors& found) {
    const size_t word = comma + 1;
    if (word + 1 >= s.size() || s[word].dep != "cc" || !s.is_lower(word, {"but", "and", "so"})) return;
    const size_t first = s[word].head;
    for (const size_t second : s.children(first)) {
        if (s[second].dep != "conj" || second < word || s[second].pos == "NOUN") continue;
        const auto subject = s.subject(second);
        if (!subject || !s.subject(first) || s.phrase_begin(*subject) != word + 1) continue;
        if (s.is_lower(word, {"but", "so"})) found.push_back(s.without(comma).because_of(word));
        // "I called, he had left": a comma alone joins no sentences. Of three it may.
        if (s[first].dep == "ROOT" && !s.has_child(second, {"conj"}))
            found.push_back(s.without(word).because_of(comma).because_of(word + 1).weighing(.7));
    }
}

void in_lists(const CorrectSentence& s, size_t comma, LearnerErrors& found) {
    const size_t first = s[comma].head;
    if (comma == 0 || first >= comma || !s.is_tag(first, {"NN", "NNS", "NNP"})) return;
    for (const size_t second : s.children(first))
        if (s[second].dep == "conj" && second > comma && second <= comma + 3 && !is_comma(s, second - 1) &&
            first == comma - 1 && s.has_child(second, {"conj"}))
            found.push_back(s.without(comma).because_of(second));
}

void semicolon(const CorrectSentence& s, size_t mark, LearnerErrors& found) {
    if (s.is_lower(mark, {";"}) && mark + 1 < s.size()) found.push_back(s.instead_of(mark, ",").weighing(3));
}

// Where a comma parts what belongs together.
void put_in_comma(const CorrectSentence& s, size_t token, LearnerErrors& found) {
    if (token == 0 || s[token - 1].pos == "PUNCT") return;
    const EnglishToken& word = s[token];
    if (word.lower == "that" && word.dep == "mark" && s[word.head].dep == "ccomp" && s[token - 1].pos == "VERB" &&
        s[word.head].head == token - 1)
        found.push_back(s.put_in_after(token - 1, ",").because_of(token).weighing(1.5));
    // Between a subject of some words and its verb.
    if (s.is_tag(token, {"VBZ", "VBD", "VBP", "MD"}) && s[token - 1].space_after) {
        const size_t verb = s.is_tag(token, {"MD"}) || is_one_of(word.dep, {"aux", "auxpass"}) ? word.head : token;
        const auto subject = s.child(verb, {"nsubj", "nsubjpass"});
        if (subject && *subject < token && s.phrase_end(*subject) == token - 1 && token - s.phrase_begin(*subject) >= 3 &&
            s[verb].dep == "ROOT" && !s.has_child(*subject, {"relcl", "acl", "appos", "conj"}))
            found.push_back(s.put_in_after(token - 1, ",").because_of(*subject).weighing(.8));
    }
}

void final_mark(const CorrectSentence& s, LearnerErrors& found) {
    const size_t last = s.size() - 1;
    if (s.final_marks() != last || last < 3) return;
    if (s.is_lower(last, {"."}) && !s[last - 1].text.ends_with(".")) found.push_back(s.without(last).weighing(.12));
    if (s.is_lower(last, {"?"})) {
        found.push_back(s.instead_of(last, ".").weighing(2));
        found.push_back(s.without(last));
    }
}

}  // namespace

LearnerErrors punctuation_errors(const CorrectSentence& sentence, const LearnerLanguage&) {
    LearnerErrors found;
    introductory(sentence, found);
    for (size_t i = 0; i < sentence.size(); ++i) {
        if (is_comma(sentence, i)) {
            between_clauses(sentence, i, found);
            in_lists(sentence, i, found);
        }
        semicolon(sentence, i, found);
        put_in_comma(sentence, i, found);
    }
    final_mark(sentence, found);
    return found;
}

}  // namespace craft
