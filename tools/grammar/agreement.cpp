#include <optional>

#include "english/dictionary/subject_number.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

// Names are left open: many are those of teams, firms and bands.
GrammaticalNumber number_of(const ParsedSentence& tree, size_t subject) {
    const bool is_name = tree[subject].text != tree[subject].lower && subject > 0 && !tree[subject].sentence_start;
    const bool is_open = tree.is_tag(subject, {"NNP", "NNPS"}) || (tree.tag(subject) == "NN" && is_name);
    return is_open && !tree.has_child(subject, {"conj"}) ? GrammaticalNumber::unknown : subject_number(tree, subject);
}

// Of "who", "which" and "that": what stands right before them, a comma apart at most.
std::optional<size_t> antecedent(const ParsedSentence& tree, size_t relative, size_t verb) {
    if (tree.dep(verb) != "relcl") return std::nullopt;
    const size_t head = tree[verb].head;
    const size_t before = relative > 0 && tree.lower(relative - 1) == "," ? 2 : 1;
    if (relative < before || head != relative - before) return std::nullopt;
    // "one of the men who are": either may be meant.
    for (size_t i = head; i-- > 0 && i + 6 > head;)
        if (tree.is_lower(i, {"of", "and", "or", "with"})) return std::nullopt;
    return head;
}

struct Predicate {
    size_t verb = 0;  // the finite one, which agrees
    bool is_singular = false;
    bool is_past = false;
};

// What of the verb shows its number: be in both tenses, others in the present alone.
std::optional<Predicate> predicate_of(const ParsedSentence& tree, size_t head, const WordForms& forms) {
    size_t finite = head;
    for (const size_t child : tree.children(head))
        if (tree.is_dep(child, {"aux", "auxpass"})) {
            finite = child;
            break;
        }
    if (tree.is_lower(finite, {"was", "were"})) return Predicate{finite, tree.is_lower(finite, {"was"}), true};
    if (tree.is_lower(finite, {"is", "has", "does"})) return Predicate{finite, true, false};
    if (tree.is_lower(finite, {"are", "have", "do"}) && tree.is_tag(finite, {"VBP", "VB"}))
        return Predicate{finite, false, false};
    if (finite != head) return std::nullopt;
    const std::string& word = tree[head].lower;
    if (tree.tag(head) == "VBZ") return Predicate{head, true, false};
    if (tree.is_tag(head, {"VBP"})) return Predicate{head, false, false};
    // The tagger takes a verb without its -s for a bare one or for a noun.
    const bool is_bare =
        tree.is_tag(head, {"VB", "NN"}) && forms.is_verb(word) && tree.is_dep(head, {"ROOT", "relcl", "advcl"});
    if (is_bare && !(tree.tag(head) == "NN" && tree.has_child(head, {"det", "poss", "amod", "compound", "cop"})))
        return Predicate{head, false, false};
    return std::nullopt;
}

// "if he were", "I wish it were", "suggest that he go"
bool is_subjunctive(const ParsedSentence& tree, size_t head, const Predicate& predicate) {
    const auto mark = tree.child(head, {"mark", "advmod"});
    const size_t above = tree[head].head;
    if (tree.is_lower(predicate.verb, {"were"}) &&
        ((mark && tree.is_lower(*mark, {"if", "as", "though", "unless", "whether"})) || tree[above].lemma == "wish"))
        return true;
    if (tree.is_lower(predicate.verb - 1, {"if", "wish"})) return true;
    return above != head && tree.is_tag(predicate.verb, {"VB", "VBP"}) &&
           is_one_of(tree[above].lemma, {"suggest", "recommend", "insist", "demand", "require", "propose", "request", "let",
                                         "make", "help", "see", "hear", "watch", "essential", "vital", "important", "have"});
}

// A form of "be" beside "I".
void check_first_person(RuleMarks& found, const Predicate& predicate) {
    const ParsedSentence& tree = found.tree;
    if (tree.is_lower(predicate.verb, {"are", "were", "is"}))
        found.substituted(predicate.verb, "'" + tree[predicate.verb].text + "' does not agree with 'I'",
                          {predicate.is_past ? "was" : "am"});
}

void check(RuleMarks& found, size_t subject, size_t head, GrammaticalNumber number) {
    const ParsedSentence& tree = found.tree;
    const WordForms& forms = found.know.forms;
    const auto predicate = predicate_of(tree, head, forms);
    if (!predicate || number == GrammaticalNumber::unknown || is_subjunctive(tree, head, *predicate)) return;
    const size_t verb = predicate->verb;
    const bool is_be = predicate->is_past || tree.is_lower(verb, {"is", "are", "am"});
    if (is_be && tree.is_lower(subject, {"i"})) return check_first_person(found, *predicate);
    const bool is_singular = number == GrammaticalNumber::singular;
    if (predicate->is_singular == is_singular) return;
    const std::string lemma = is_be ? "be" : forms.verb_of(tree[verb].lower).value_or(tree[verb].lemma);
    // "swam" that is taken for a present form: it goes with any subject.
    if (!is_be && lemma != tree[verb].lower && forms.is_form(tree[verb].lower, lemma, "VBD")) return;
    const std::string form = forms.agreeing(lemma, is_singular, predicate->is_past);
    if (form != tree[verb].lower)
        found.substituted(verb, "'" + tree[verb].text + "' does not agree with '" + tree[subject].text + "'", {form});
}

void check_subject(RuleMarks& found, size_t subject) {
    const ParsedSentence& tree = found.tree;
    const size_t head = tree[subject].head;
    // What is taken for the subject of a bare verb may be another one's object ("let me know").
    if (tree.is_lower(subject, {"me", "him", "her", "us", "them"})) return;
    if (tree.is_tag(subject, {"WDT", "WP"})) {
        // "Who tell you that?"
        if (tree.is_lower(subject, {"who", "what"}) && tree.dep(head) == "ROOT" && subject + 1 == head &&
            tree.tag(head) == "VBP" && tree[head].lemma != "be")
            return check(found, subject, head, GrammaticalNumber::singular);
        // ", which" may mean the whole clause before it.
        if (subject > 0 && tree.lower(subject - 1) == "," && tree.is_lower(subject, {"which"})) return;
        if (const auto of = antecedent(tree, subject, head); of && !tree.is_lower(subject, {"what"}))
            check(found, *of, head, number_of(tree, *of));
        return;
    }
    if (subject > head && tree.dep(head) != "ROOT") return;
    check(found, subject, head, number_of(tree, subject));
}

// "there are a dog", "there is dogs"
void check_there(RuleMarks& found, size_t there) {
    const ParsedSentence& tree = found.tree;
    const size_t verb = tree[there].head;
    const auto attr = tree.child(verb, {"attr"});
    if (!attr || *attr < verb || tree.has_child(*attr, {"conj"}) || !tree.is_lower(verb, {"is", "are", "was", "were"}))
        return;
    // "there is some", "there are many a": what comes before the noun may be wrong in place of the verb.
    const auto before = tree.child(*attr, {"det", "amod"});
    const bool is_open = tree.tag(*attr) == "NN" && before &&
                         tree.is_lower(*before, {"many", "several", "few", "some", "these", "those", "other", "various"});
    if (!is_open && tree.is_tag(*attr, {"NN", "NNS"})) check(found, *attr, verb, subject_number(tree, *attr));
}

}  // namespace

void mark_agreement(RuleMarks& found) {
    const ParsedSentence& tree = found.tree;
    for (size_t i = 0; i < tree.size(); ++i) {
        if (tree.is_dep(i, {"nsubj", "nsubjpass"}) && tree[i].head != i) check_subject(found, i);
        if (tree.dep(i) == "expl" && tree.is_lower(i, {"there"})) check_there(found, i);
        if (tree.dep(i) == "csubj" && tree.tag(i) == "VBG" && !tree.has_child(i, {"conj"}))
            check(found, i, tree[i].head, GrammaticalNumber::singular);
        // "he are", whatever the tree says of it.
        if (tree.is_lower(i, {"he", "she", "it"}) && tree.is_lower(i + 1, {"are", "have", "do", "were", "am"}) &&
            (i == 0 || tree.is_tag(i - 1, {",", "CC", "``", "."}) || tree[i].sentence_start ||
             tree.is_lower(i - 1, {"that", "because", "when"})))
            found.substituted(i + 1, "'" + tree[i + 1].text + "' does not agree with '" + tree[i].text + "'",
                              {tree.is_lower(i + 1, {"are", "am"}) ? "is"
                               : tree.is_lower(i + 1, {"have"})    ? "has"
                               : tree.is_lower(i + 1, {"do"})      ? "does"
                                                                   : "was"});
        if (tree.is_lower(i, {"we", "they"}) && tree.is_lower(i + 1, {"is", "was", "has", "does", "am"}) &&
            (i == 0 || !tree.is_lower(i - 1, {"and", "or", "of"})))
            found.substituted(i + 1, "'" + tree[i + 1].text + "' does not agree with '" + tree[i].text + "'",
                              {tree.is_lower(i + 1, {"is", "am"}) ? "are"
                               : tree.is_lower(i + 1, {"has"})    ? "have"
                               : tree.is_lower(i + 1, {"does"})   ? "do"
                                                                  : "were"});
    }
}

}  // namespace craft
