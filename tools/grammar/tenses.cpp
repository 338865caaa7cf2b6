#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool is_nominative(const ParsedSentence& tree, size_t i) {
    return tree.is_lower(i, {"i", "he", "she", "we", "they"});
}

std::string be_for(const ParsedSentence& tree, size_t subject) {
    return tree.is_lower(subject, {"i"}) ? "am" : tree.is_lower(subject, {"he", "she", "it"}) ? "is" : "are";
}

// "she reading a book", "they going to"
void mark_missing_be(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!is_nominative(tree, i)) return;
    const size_t verb = tree.after_adverbs(i + 1);
    const bool is_clause = tree[i].head == verb && tree.is_dep(verb, {"ROOT", "ccomp", "conj", "relcl"}) &&
                           !tree.has_child(verb, {"aux", "auxpass"});
    if (tree.tag(verb) == "VBG" && is_clause)
        found.missing(verb, "'" + tree[verb].text + "' needs a form of 'be'", {be_for(tree, i)});
    // "she has ill for a week"
    const bool is_ill = tree.is_lower(i + 1, {"has", "have", "had"}) && tree.tag(i + 2) == "JJ" &&
                        tree.dep(i + 2) == "dobj" && tree.is_lower(i + 3, {"for", "since", ".", "and"});
    if (is_ill) found.missing(i + 2, "'" + tree[i + 2].text + "' needs a form of 'be'", {"been"});
}

// "There a supermarket at the end of the street."
void mark_missing_after_there(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool starts = i == 0 || tree[i].sentence_start;
    if (!starts || !tree.is_lower(i, {"there"}) || !tree.is_lower(i + 1, {"a", "an", "many", "some", "no", "several"}))
        return;
    size_t root = i;
    for (size_t steps = 0; steps < tree.size() && tree[root].head != root; ++steps) root = tree[root].head;
    if (tree[root].pos != "VERB" && tree[root].pos != "AUX")
        found.missing(i + 1, "the sentence has no verb", {tree.is_lower(i + 1, {"many", "some", "several"}) ? "are" : "is"});
}

// "because is cheap"
void mark_missing_subject(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    // "Do you know where the nearest bank?"
    if (tree.is_lower(i, {"where", "what", "who"}) && i > 0 && tree[i - 1].tag.starts_with("VB") &&
        tree.is_tag(i + 1, {"DT", "PRP$"})) {
        size_t end = i + 1;
        while (tree.is_tag(end, {"DT", "PRP$", "JJ", "JJS", "NN", "NNS", "NNP"})) ++end;
        if (tree.tag(end) == "." && end > i + 2)
            found.missing(end, "the clause behind '" + tree[i].text + "' has no verb",
                          {tree.tag(end - 1) == "NNS" ? "are" : "is"});
    }
    if (tree.is_lower(i, {"because", "although", "if"}) && tree.is_lower(i + 1, {"is", "was", "has", "can", "will"}) &&
        !tree.is_lower(i + 2, {"he", "she", "it", "there", "they", "this", "that"}))
        found.missing(i + 1, "the clause behind '" + tree[i].text + "' has no subject", {"it"});
}

// "I go there yesterday", "has seen him last week"
void mark_past_time(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool is_last = tree.is_lower(i, {"night", "week", "month", "year", "saturday", "sunday", "monday", "tuesday",
                                           "wednesday", "thursday", "friday", "summer", "winter"}) &&
                         i > 0 && tree.is_lower(i - 1, {"last"}) && !(i > 1 && tree.is_tag(i - 2, {"DT", "IN"}));
    const bool is_day = tree.is_lower(i, {"yesterday"}) || (tree.is_lower(i, {"ago"}) && !tree.is_lower(i + 1, {"that"}));
    if ((!is_last && !is_day) || tree.is_lower(i + 1, {"'s", "\xE2\x80\x99s"})) return;
    const size_t verb = tree[i].head;
    if (!tree.is_dep(i, {"npadvmod", "advmod"}) || tree.has_child(verb, {"aux"}) || !tree.is_tag(verb, {"VBP", "VBZ"}))
        return;
    const auto subject = tree.child(verb, {"nsubj"});
    const auto lemma = found.know.forms.verb_of(tree[verb].lower);
    if (!subject || !lemma || (i > 0 && tree.is_lower(i - 1, {"since", "from", "of"}))) return;
    const bool is_plural = tree.is_lower(*subject, {"we", "they", "you"}) || tree.tag(*subject) == "NNS";
    found.substituted(verb, "'" + tree[i].text + "' is in the past", {found.know.forms.agreeing(*lemma, !is_plural, true)});
}

// "we were there when we hear the news", "as soon as I will arrive"
void mark_time_clause(RuleMarks& found, size_t verb) {
    const ParsedSentence& tree = found.tree;
    if (tree.dep(verb) != "advcl") return;
    size_t main = tree[verb].head;
    if (!tree[main].tag.starts_with("VB")) main = tree[main].head;  // "as soon as" stands between
    const auto joined = tree.child(verb, {"advmod", "mark"});
    if (!joined || !tree.is_lower(*joined, {"when", "before", "after", "until", "as", "if"}) || *joined > verb) return;
    const auto subject = tree.child(verb, {"nsubj"});
    if (!subject || tree.tag(*subject) != "PRP") return;
    if (const auto will = tree.child(verb, {"aux"}); will && tree.is_lower(*will, {"will", "'ll"})) {
        const auto main_will = tree.child(main, {"aux"});
        if (main_will && tree.is_lower(*main_will, {"will", "'ll", "can"}) && tree.tag(verb) == "VB" &&
            !tree.has_child(verb, {"neg"}) && *subject + 1 == *will)
            found.substituted(*will, "behind '" + tree[*joined].text + "' the present is used",
                              {found.know.forms.agreeing(tree[verb].lower, tree.is_lower(*subject, {"he", "she", "it"}))},
                              verb - *will + 1);
        return;
    }
    const bool is_present = tree.is_tag(verb, {"VBP", "VBZ"}) && !tree.has_child(verb, {"aux", "auxpass"});
    if (!is_present || tree.tag(main) != "VBD" || tree.has_child(main, {"aux"}) ||
        !tree.is_lower(*joined, {"when", "before", "after"}))
        return;
    if (tree[main].lemma == "use" || tree.is_dep(main, {"ccomp"})) return;
    if (const auto lemma = found.know.forms.verb_of(tree[verb].lower))
        found.substituted(verb, "the rest of the sentence is in the past",
                          {found.know.forms.agreeing(*lemma, !tree.is_lower(*subject, {"we", "they", "you"}), true)});
}

}  // namespace

void mark_missing_verbs(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_missing_be(found, i);
        mark_missing_after_there(found, i);
        mark_missing_subject(found, i);
    }
}

void mark_tenses(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_past_time(found, i);
        mark_time_clause(found, i);
    }
}

}  // namespace craft
