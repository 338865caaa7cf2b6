#include <optional>

#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool is_inflected(const ParsedSentence& tree, size_t i, const std::string& lemma) {
    return tree.is_tag(i, {"VBZ", "VBD", "VBN", "VBG"}) && tree[i].lower != lemma;
}

// A modal or a form of "do", and the verb that it asks a base form of.
struct AskedVerb {
    size_t auxiliary = 0, verb = 0;
    bool is_do = false;
};

std::optional<AskedVerb> verb_asked_for(const ParsedSentence& tree, size_t i) {
    const bool is_modal = tree.tag(i) == "MD" && !tree.is_lower(i, {"'d", "ought"});
    const bool is_do = tree.is_lower(i, {"do", "does", "did"}) &&
                       (tree.dep(i) == "aux" || tree.is_lower(i + 1, {"n't", "not", "n\xE2\x80\x99t"}));
    if (!is_modal && !is_do) return std::nullopt;
    size_t verb = verb_after(tree, i);
    // "does the train leaves": the whole subject stands between.
    if (is_do && tree.dep(i) == "aux" && tree[i].head > i && tree.is_tag(verb, {"DT", "PRP$", "NN", "NNS", "NNP", "JJ"}))
        verb = tree[i].head;
    if (verb >= tree.size()) return std::nullopt;
    return AskedVerb{i, verb, is_do && !is_modal};
}

// "'d to go", "will to go"
bool mark_to_after_modal(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool is_contracted = tree.is_lower(i, {"'d",
                                                 "\xE2\x80\x99"
                                                 "d"});
    if (tree.tag(i + 1) != "TO") return false;
    if (is_contracted ? !tree.is_tag(i + 2, {"VB", "VBN"})
                      : tree.tag(i) != "MD" || tree.is_lower(i, {"ought"}) || !tree.is_tag(i + 2, {"VB", "VBP"}))
        return false;
    if (tree.is_lower(i, {"will"}) && tree.is_tag(i - 1, {"DT", "PRP$"})) return false;  // "his will to live"
    found.redundant(i + 1, "no 'to' stands behind '" + tree[i].text + "'");
    return true;
}

// "did found", "can saw": past forms that are base forms of other verbs are not meant as these.
bool mark_past_after(RuleMarks& found, const AskedVerb& at) {
    static constexpr std::pair<std::string_view, std::string_view> kPasts[] = {
        {"found", "find"}, {"saw", "see"}, {"felt", "feel"}, {"fell", "fall"}, {"left", "leave"}, {"wound", "wind"}};
    const ParsedSentence& tree = found.tree;
    if (!tree.tag(at.verb).starts_with("VB") ||
        (!at.is_do && !tree.is_lower(at.auxiliary, {"can", "could", "ca", "should", "must"})))
        return false;
    for (const auto& [past, base] : kPasts)
        if (tree.lower(at.verb) == past) {
            found.substituted(at.verb, "behind '" + tree[at.auxiliary].text + "' a verb has its base form",
                              {std::string(base)});
            return true;
        }
    return false;
}

// Whether the tree speaks against the verb's being the auxiliary's.
bool is_anothers(const ParsedSentence& tree, const AskedVerb& at) {
    if (at.is_do)
        return tree[at.verb].head != at.auxiliary && tree[at.auxiliary].head != at.verb &&
               tree[at.verb].head != tree[at.auxiliary].head;
    if (tree.is_dep(at.verb, {"amod", "nsubj", "csubj"})) return true;
    return tree.is_dep(at.verb, {"advcl", "acl"}) && at.verb != at.auxiliary + 1 &&
           !tree.is_lower(at.verb - 1, {"not", "n't"});
}

// "can goes", "did went", "does he likes"
void mark_after_base_form(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (mark_to_after_modal(found, i)) return;
    const auto at = verb_asked_for(tree, i);
    if (!at || mark_past_after(found, *at)) return;
    const auto lemma = found.know.forms.verb_of(tree[at->verb].lower);
    if (lemma && is_inflected(tree, at->verb, *lemma) && !is_anothers(tree, *at))
        found.substituted(at->verb, "behind '" + tree[i].text + "' a verb has its base form", {*lemma});
}

// "look forward to", "I am used to"
bool is_preposition_to(const ParsedSentence& tree, size_t to) {
    if (tree.is_lower(to - 1, {"forward"})) return tree.is_lemma(to - 2, {"look"});
    return tree.is_lower(to - 1, {"used"}) &&
           tree.is_lower(to - 2, {"am", "is", "are", "was", "were", "'m", "'re", "get", "got"}) &&
           is_pronoun_subject(tree, to - 3) && !tree.is_lower(to - 3, {"it"});
}

// A form that is not the base form, where the words around "to" ask for that.
bool is_wrong_after_to(const ParsedSentence& tree, size_t to) {
    const size_t verb = to + 1;
    const std::string_view tag = tree.tag(verb);
    if (tag == "VBD") return true;
    if (tag == "VBZ") return tree.tag(to) == "TO";
    if (tag == "VBN") return tree.tag(to) == "TO" && tree.is_dep(verb, {"xcomp", "advcl", "acl", "ROOT", "ccomp", "relcl"});
    return tag == "VBG" &&
           tree.is_lower(to - 1, {"able",  "want",    "wants", "wanted",  "decide",    "decided",   "need",     "needs",
                                  "try",   "tried",   "plan",  "hope",    "like",      "going",     "have",     "has",
                                  "ready", "willing", "easy",  "hard",    "difficult", "important", "possible", "necessary",
                                  "how",   "where",   "what",  "started", "began"});
}

// "to told", "able to attending", "look forward to hear", "I am used to get up"
void mark_after_to(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"to"}) || i == 0) return;
    const size_t verb = i + 1;
    const auto lemma = found.know.forms.verb_of(tree.lower(verb));
    if (!lemma) return;
    const bool is_base = tree.lower(verb) == *lemma;
    if (!is_preposition_to(tree, i)) {
        if (!is_base && is_wrong_after_to(tree, i))
            found.substituted(verb, "behind 'to' a verb has its base form", {*lemma});
    } else if (is_base && tree.is_tag(verb, {"VB", "VBP"}) && !tree.is_lower(verb, {"be"})) {
        found.substituted(verb, "this 'to' is followed by an -ing form", {found.know.forms.form(*lemma, "VBG")});
    }
}

// "for invite me", "before use the device"
void mark_after_preposition(RuleMarks& found, size_t i) {
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

// "enjoy to go", "enjoy go"
void mark_wanted_gerund(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const WordForms& forms = found.know.forms;
    const std::string& lemma = tree[i].lemma;
    // "he is considered to be"
    if (tree.tag(i) == "VBN" || !listed_words("gerund_verbs").contains(lemma)) return;
    const std::string why = "'" + lemma + "' is followed by an -ing form";
    const size_t next = i + 1;
    if (tree.tag(next) == "TO" && tree.is_tag(next + 1, {"VB"}))
        found.substituted(next, why, {forms.form(tree.lower(next + 1), "VBG")}, 2);
    else if (lemma != "mind" && tree.tag(next) == "VB" && forms.is_verb(tree.lower(next)))
        found.substituted(next, why, {forms.form(tree.lower(next), "VBG")});
}

// "want go", "decided going"
void mark_wanted_infinitive(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const WordForms& forms = found.know.forms;
    const size_t next = i + 1;
    const bool would_like = tree.is_lemma(i, {"like"}) && tree.is_lower(i - 1, {"would", "'d"});
    if (!would_like && !listed_words("infinitive_verbs").contains(tree[i].lemma)) return;
    if (tree.is_tag(next, {"VB", "VBP"}) && forms.is_verb(tree.lower(next)) &&
        tree.is_dep(next, {"xcomp", "ccomp", "ROOT", "advcl", "conj", "dobj"}))
        return found.missing(next, "'" + tree[i].text + "' is followed by 'to' and a verb", {"to"});
    if (tree.is_lemma(i, {"want", "decide", "hope", "refuse", "promise", "manage", "agree"}) && tree.tag(next) == "VBG" &&
        tree.dep(next) == "xcomp")
        found.substituted(next, "'" + tree[i].lemma + "' is followed by 'to' and a verb",
                          {"to " + forms.verb_of(tree.lower(next)).value_or("")});
}

bool is_object_pronoun(const ParsedSentence& tree, size_t i) {
    return tree.is_lower(i, {"me", "him", "her", "us", "them", "you"});
}

// "told him go"
void mark_told(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const size_t next = i + 1;
    if (tree.tag(i) != "VB" && is_object_pronoun(tree, next) && tree.tag(next + 1) == "VB" &&
        !tree.is_lower(next + 1, {"please"}) &&
        tree.is_lemma(i, {"ask", "tell", "advise", "want", "allow", "invite", "encourage", "force", "persuade", "teach",
                          "warn", "remind", "order", "enable", "expect"}))
        found.missing(next + 1, "'" + tree[i].text + " " + tree[next].text + "' is followed by 'to' and a verb", {"to"});
}

// "made him to go", "let their fields to dry"
void mark_let(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool lets =
        tree.is_lemma(i, {"let", "make"}) || (tree.is_lemma(i, {"see", "hear", "watch"}) && tree.tag(i) != "VBN");
    if (!lets) return;
    const bool is_let = tree[i].lemma == "let";
    const size_t next = i + 1;
    size_t to = next;
    if (is_object_pronoun(tree, next) || (is_let && tree.is_lower(next, {"'s", "\xE2\x80\x99s"})))
        ++to;
    else if (is_let && tree.is_tag(next, {"DT", "PRP$", "NNP", "NNS"}))
        while (tree.is_tag(to, {"DT", "PRP$", "JJ", "NN", "NNS", "NNP"}) && to < next + 5) ++to;
    if (to > next && tree.tag(to) == "TO" && tree.tag(to + 1) == "VB")
        found.redundant(to, "'" + tree[i].lemma + "' is followed by a verb without 'to'");
}

// Verbs that ask for a form of the next one.
void mark_after_verb(RuleMarks& found, size_t i) {
    if (!found.tree[i].tag.starts_with("VB") && !found.tree.is_lower(i, {"let"})) return;
    mark_wanted_gerund(found, i);
    mark_wanted_infinitive(found, i);
    mark_told(found, i);
    mark_let(found, i);
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
        mark_after_base_form(found, i);
        mark_after_to(found, i);
        mark_after_preposition(found, i);
        mark_after_verb(found, i);
        mark_phrases(found, i);
    }
}

}  // namespace craft
