#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool is_inflected(const ParsedSentence& tree, size_t i, const std::string& lemma) {
    return tree.is_tag(i, {"VBZ", "VBD", "VBN", "VBG"}) && tree[i].lower != lemma;
}

// Behind modals and do.
void mark_behind_base_form(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.is_lower(i, {"'d",
                          "\xE2\x80\x99"
                          "d"}) &&
        tree.tag(i + 1) == "TO" && tree.is_tag(i + 2, {"VB", "VBN"}))
        return found.redundant(i + 1, "no 'to' stands behind '" + tree[i].text + "'");
    const bool is_modal = tree.tag(i) == "MD" && !tree.is_lower(i, {"'d", "ought"});
    const bool is_do = tree.is_lower(i, {"do", "does", "did"}) &&
                       (tree.dep(i) == "aux" || tree.is_lower(i + 1, {"n't", "not", "n\xE2\x80\x99t"}));
    if (!is_modal && !is_do) return;
    size_t verb = verb_behind(tree, i);
    // "does the train leaves": the whole subject stands between.
    const bool is_asked =
        is_do && tree.dep(i) == "aux" && tree[i].head > i && tree.is_tag(verb, {"DT", "PRP$", "NN", "NNS", "NNP", "JJ"});
    if (is_asked) verb = tree[i].head;
    if (verb >= tree.size()) return;
    if (is_modal && tree.tag(verb) == "TO" && verb == i + 1 && tree.is_tag(verb + 1, {"VB", "VBP"}) &&
        !(tree.is_lower(i, {"will"}) && tree.is_tag(i - 1, {"DT", "PRP$"})))
        return found.redundant(verb, "no 'to' stands behind '" + tree[i].text + "'");
    const auto lemma = found.know.forms.verb_of(tree[verb].lower);
    // Past forms that are base forms of other verbs ("found", "saw") are not meant as these.
    if (tree.tag(verb).starts_with("VB") && tree.is_lower(verb, {"found", "saw", "felt", "fell", "left", "wound"}) &&
        (is_do || tree.is_lower(i, {"can", "could", "ca", "should", "must"})))
        return found.substituted(verb, "behind '" + tree[i].text + "' a verb has its base form",
                                 {tree.is_lower(verb, {"found"})  ? "find"
                                  : tree.is_lower(verb, {"saw"})  ? "see"
                                  : tree.is_lower(verb, {"felt"}) ? "feel"
                                  : tree.is_lower(verb, {"fell"}) ? "fall"
                                  : tree.is_lower(verb, {"left"}) ? "leave"
                                                                  : "wind"});
    if (!lemma || !is_inflected(tree, verb, *lemma)) return;
    if (is_modal && tree.is_dep(verb, {"amod", "nsubj", "csubj"})) return;
    if (is_modal && tree.is_dep(verb, {"advcl", "acl"}) && verb != i + 1 && !tree.is_lower(verb - 1, {"not", "n't"})) return;
    if (is_do && tree[verb].head != i && tree[i].head != verb && tree[verb].head != tree[i].head) return;
    found.substituted(verb, "behind '" + tree[i].text + "' a verb has its base form", {*lemma});
}

// "to told", "able to attending", "look forward to hear", "I am used to get up"
void mark_behind_to(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"to"}) || i == 0) return;
    const size_t verb = i + 1;
    const auto lemma = found.know.forms.verb_of(tree.lower(verb));
    if (!lemma) return;
    const bool takes_noun = (tree.is_lower(i - 1, {"forward"}) && i > 1 && tree[i - 2].lemma == "look") ||
                            (tree.is_lower(i - 1, {"used"}) && i > 2 &&
                             tree.is_lower(i - 2, {"am", "is", "are", "was", "were", "'m", "'re", "get", "got"}) &&
                             (is_pronoun_subject(tree, i - 3) && !tree.is_lower(i - 3, {"it"})));
    if (takes_noun && tree.is_tag(verb, {"VB", "VBP"}) && tree.lower(verb) == *lemma && !tree.is_lower(verb, {"be"}))
        return found.substituted(verb, "this 'to' is followed by an -ing form", {found.know.forms.form(*lemma, "VBG")});
    if (takes_noun) return;
    const bool is_past = tree.is_tag(verb, {"VBD"}) && tree.lower(verb) != *lemma;
    const bool is_participle = tree.tag(verb) == "VBN" && tree.tag(i) == "TO" && tree.lower(verb) != *lemma &&
                               tree.is_dep(verb, {"xcomp", "advcl", "acl", "ROOT", "ccomp", "relcl"});
    const bool wants_infinitive = tree.is_lower(
        i - 1, {"able",      "want",      "wants",    "wanted",    "decide", "decided", "need",  "needs",   "try",  "tried",
                "plan",      "hope",      "like",     "going",     "have",   "has",     "ready", "willing", "easy", "hard",
                "difficult", "important", "possible", "necessary", "how",    "where",   "what",  "started", "began"});
    const bool is_continuous = tree.tag(verb) == "VBG" && wants_infinitive && tree.lower(verb) != *lemma;
    const bool is_third = tree.tag(verb) == "VBZ" && tree.tag(i) == "TO" && tree.lower(verb) != *lemma;
    if (is_past || is_participle || is_continuous || is_third)
        found.substituted(verb, "behind 'to' a verb has its base form", {*lemma});
}

// "for invite me", "before use the device"
void mark_behind_preposition(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"for", "of", "in", "without", "before", "after", "by", "about", "at", "on", "from"}) ||
        tree.tag(i) != "IN")
        return;
    const size_t verb = i + 1;
    if (!tree.is_tag(verb, {"VB", "VBP"}) || !tree.is_dep(verb, {"pcomp", "advcl", "prep"}) ||
        !tree.is_tag(verb + 1, {"DT", "PRP", "PRP$", "NN", "NNS", "IN", "JJ", "RP", "TO"}))
        return;
    if (const auto lemma = found.know.forms.verb_of(tree.lower(verb)); lemma && *lemma == tree.lower(verb))
        found.substituted(verb, "behind '" + tree[i].text + "' a verb has its -ing form",
                          {found.know.forms.form(*lemma, "VBG")});
}

// Verbs that ask for a form of the next one.
void mark_behind_verb(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const WordForms& forms = found.know.forms;
    const std::string& lemma = tree[i].lemma;
    if (!tree[i].tag.starts_with("VB") && !tree.is_lower(i, {"let"})) return;
    const size_t next = i + 1;
    const bool wants_gerund = is_one_of(lemma, {"enjoy", "avoid", "finish", "mind", "dislike", "practise", "practice"});
    if (wants_gerund && tree.tag(next) == "TO" && tree.is_tag(next + 1, {"VB"}))
        return found.substituted(next, "'" + lemma + "' is followed by an -ing form",
                                 {forms.form(tree.lower(next + 1), "VBG")}, 2);
    if (wants_gerund && lemma != "mind" && tree.tag(next) == "VB" && forms.is_verb(tree.lower(next)))
        return found.substituted(next, "'" + lemma + "' is followed by an -ing form", {forms.form(tree.lower(next), "VBG")});
    const bool wants_to = is_one_of(lemma, {"want", "decide", "hope", "plan", "agree", "refuse", "promise", "offer",
                                            "manage", "wish", "expect", "intend", "hesitate"}) ||
                          (lemma == "like" && i > 0 && tree.is_lower(i - 1, {"would", "'d"}));
    const bool is_verb = tree.is_tag(next, {"VB", "VBP"}) && forms.is_verb(tree.lower(next)) &&
                         tree.is_dep(next, {"xcomp", "ccomp", "ROOT", "advcl", "conj", "dobj"});
    if (wants_to && is_verb) return found.missing(next, "'" + tree[i].text + "' is followed by 'to' and a verb", {"to"});
    if (is_one_of(lemma, {"want", "decide", "hope", "refuse", "promise", "manage", "agree"}) && tree.tag(next) == "VBG" &&
        tree.dep(next) == "xcomp")
        return found.substituted(next, "'" + lemma + "' is followed by 'to' and a verb",
                                 {"to " + forms.verb_of(tree.lower(next)).value_or("")});
    const bool is_object = tree.is_lower(next, {"me", "him", "her", "us", "them", "you"});
    const bool asks = is_one_of(lemma, {"ask", "tell", "advise", "want", "allow", "invite", "encourage", "force", "persuade",
                                        "teach", "warn", "remind", "order", "enable", "expect"});
    if (asks && is_object && tree.tag(next + 1) == "VB" && !tree.is_lower(next + 1, {"please"}) && tree[i].tag != "VB")
        return found.missing(next + 1, "'" + tree[i].text + " " + tree[next].text + "' is followed by 'to' and a verb",
                             {"to"});
    const bool lets =
        is_one_of(lemma, {"let", "make"}) || (is_one_of(lemma, {"see", "hear", "watch"}) && tree.tag(i) != "VBN");
    if (lets && (is_object || (lemma == "let" && tree.is_lower(next, {"'s", "\xE2\x80\x99s"}))) &&
        tree.tag(next + 1) == "TO" && tree.tag(next + 2) == "VB")
        return found.redundant(next + 1, "'" + lemma + "' is followed by a verb without 'to'");
    // "let their fields to dry": a whole noun phrase stands between.
    if (lemma != "let" || !tree.is_tag(next, {"DT", "PRP$", "NNP", "NNS"})) return;
    size_t to = next;
    while (tree.is_tag(to, {"DT", "PRP$", "JJ", "NN", "NNS", "NNP"}) && to < next + 5) ++to;
    if (tree.tag(to) == "TO" && tree.tag(to + 1) == "VB")
        found.redundant(to, "'" + lemma + "' is followed by a verb without 'to'");
}

// "would rather staying", "spends time listen"
void mark_phrases(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const auto lemma = found.know.forms.verb_of(tree.lower(i));
    if (!lemma) return;
    if (i > 1 && tree.is_lower(i - 1, {"rather", "better"}) && tree.is_lower(i - 2, {"would", "'d", "had"}) &&
        tree.tag(i) == "VBG")
        return found.substituted(i, "behind '" + tree[i - 2].text + " " + tree[i - 1].text + "' a verb has its base form",
                                 {*lemma});
    if (i > 1 && tree.is_lower(i - 1, {"time", "hours"}) && tree.is_tag(i, {"VB", "VBP"}) && tree.lower(i) == *lemma &&
        tree[i].head < i) {
        const size_t above = tree[i].head;
        if (tree[above].lemma == "spend")
            found.substituted(i, "time is spent in doing something", {found.know.forms.form(*lemma, "VBG")});
    }
    // "I was very disappointing with"
    static constexpr std::string_view kFeelings[] = {"disappointing", "interesting", "boring",    "exciting",
                                                     "surprising",    "tiring",      "confusing", "worrying",
                                                     "frightening",   "embarrassing"};
    if (is_one_of(tree.lower(i), kFeelings) && i > 1 && tree.is_lower(i + 1, {"with", "in", "about", "by", "at", "of"})) {
        const size_t be = tree.is_lower(i - 1, {"very", "so", "really", "quite", "too"}) ? i - 2 : i - 1;
        if (be > 0 && tree.is_lower(be, {"am", "was", "were", "'m", "are", "is"}) &&
            tree.is_lower(be - 1, {"i", "we", "he", "she", "they"}))
            found.substituted(i, "who feels so is '" + found.know.forms.form(*lemma, "VBN") + "'",
                              {found.know.forms.form(*lemma, "VBN")});
    }
}

}  // namespace

void mark_verb_forms(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_behind_base_form(found, i);
        mark_behind_to(found, i);
        mark_behind_preposition(found, i);
        mark_behind_verb(found, i);
        mark_phrases(found, i);
    }
}

}  // namespace craft
