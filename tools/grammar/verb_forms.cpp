#include <optional>

#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool is_pronoun_subject(const DependencyTree& tree, size_t i) {
    return tree.is_lower(i, {"i", "you", "he", "she", "it", "we", "they"});
}

// The verb that an auxiliary belongs to, its subject between them where it is a question.
size_t verb_behind(const DependencyTree& tree, size_t auxiliary) {
    size_t at = tree.behind_adverbs(auxiliary + 1);
    if (is_pronoun_subject(tree, at)) at = tree.behind_adverbs(at + 1);
    return at;
}

bool is_inflected(const DependencyTree& tree, size_t i, const std::string& lemma) {
    return tree.is_tag(i, {"VBZ", "VBD", "VBN", "VBG"}) && tree[i].lower != lemma;
}

// Behind modals and do.
void mark_behind_base_form(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
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
        !tree.is_lower(i, {"will"}))
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
    const DependencyTree& tree = found.tree;
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

// "has went", "have eat", "had rose"
void mark_behind_have(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    if (!tree.is_lower(i, {"have", "has", "had", "'ve"}) || (tree.dep(i) != "aux" && !tree.is_lower(i, {"'ve"}))) return;
    const size_t verb = verb_behind(tree, i);
    if (verb >= tree.size() || !tree[verb].tag.starts_with("VB") || tree.is_lower(verb, {"better", "rather"})) return;
    if (tree[i].head != verb && tree[verb].head != tree[i].head) return;
    const auto lemma = found.know.forms.verb_of(tree[verb].lower);
    if (!lemma || found.know.forms.is_form(tree[verb].lower, *lemma, "VBN")) return;
    if (tree.tag(verb) == "VBN" && tree[verb].lower == *lemma)
        return;  // "run", "come": the table may know the other form alone
    if (i > 0 && tree.is_lower(i, {"had"}) && tree.is_lower(i + 1, {"better", "rather", "to"})) return;
    // An irregular past that another verb has as its base form: "has rose", "has fell".
    found.substituted(verb, "behind '" + tree[i].text + "' a verb has its past participle",
                      {found.know.forms.form(*lemma, "VBN")});
}

void mark_past_for_participle(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    static const struct {
        const char *past, *participle;
    } kPasts[] = {{"rose", "risen"},   {"fell", "fallen"},   {"saw", "seen"},         {"wrote", "written"},
                  {"went", "gone"},    {"broke", "broken"},  {"spoke", "spoken"},     {"drove", "driven"},
                  {"ate", "eaten"},    {"took", "taken"},    {"gave", "given"},       {"began", "begun"},
                  {"drank", "drunk"},  {"sang", "sung"},     {"swam", "swum"},        {"knew", "known"},
                  {"grew", "grown"},   {"flew", "flown"},    {"threw", "thrown"},     {"chose", "chosen"},
                  {"froze", "frozen"}, {"stole", "stolen"},  {"forgot", "forgotten"}, {"did", "done"},
                  {"came", "come"},    {"became", "become"}, {"ran", "run"},          {"was", "been"},
                  {"were", "been"},    {"be", "been"},       {"woke", "woken"}};
    if (!tree.is_lower(i, {"have", "has", "had", "'ve"})) return;
    size_t verb = tree.behind_adverbs(i + 1);
    if (is_pronoun_subject(tree, verb)) verb = tree.behind_adverbs(verb + 1);
    for (const auto& one : kPasts)
        if (tree.lower(verb) == one.past && tree.tag(verb) != "NN" && !tree.is_lower(verb + 1, {"not"}))
            found.substituted(verb, "behind '" + tree[i].text + "' a verb has its past participle", {one.participle});
}

// "was delay", "is go", "he is lives in"
void mark_behind_be(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    if (!tree.is_lower(i, {"is", "are", "was", "were", "am", "be", "been", "'m", "'re"})) return;
    const size_t word = tree.behind_adverbs(i + 1);
    if (word >= tree.size()) return;
    const auto lemma = found.know.forms.verb_of(tree[word].lower);
    if (!lemma) return;
    const bool is_she = i > 0 && tree.is_lower(i - 1, {"he", "she"});
    if (is_she && tree.is_lower(i, {"is", "was"}) && word == i + 1 &&
        found.know.forms.is_form(tree[word].lower, *lemma, "VBZ") &&
        tree.is_tag(word + 1, {"IN", "TO", "DT", "PRP", "PRP$", "RB"}))
        return found.redundant(i, "'" + tree[word].text + "' is a verb of its own");
    const bool is_subject = i > 0 && tree.is_lower(i - 1, {"i", "he", "she", "we", "they", "you"});
    const bool is_bare = tree.is_tag(word, {"VB", "VBP"}) && tree[word].lower == *lemma && tree[i].head == word;
    const bool is_state =
        is_one_of(*lemma, {"know", "understand", "belong", "own", "want", "need", "prefer", "contain", "seem", "believe"});
    if (tree.tag(word) == "VBG" && is_state && is_subject && tree.is_lower(i, {"am", "is", "are", "'m", "'re"}))
        return found.substituted(i, "'" + *lemma + "' is a state and stands without 'be'",
                                 {found.know.forms.agreeing(*lemma, tree.is_lower(i, {"is"}))}, word - i + 1);
    const bool is_past =
        tree.tag(word) == "VBD" && !found.know.forms.is_form(tree[word].lower, *lemma, "VBN") && word == i + 1;
    const bool is_odd = tree.tag(word) == "JJ" && tree.dep(word) == "acomp" && tree[word].lower == *lemma && word == i + 1 &&
                        !found.know.forms.is_adjective(*lemma) && tree.is_tag(word + 1, {"IN", "RB"}) &&
                        is_one_of(*lemma, {"delay", "accuse", "surprise", "interest", "bore", "disappoint", "damage",
                                           "worry", "marry", "publish", "organise", "organize", "punish", "destroy",
                                           "excite", "educate", "involve", "locate"});
    if (is_bare && is_subject && tree.is_lower(i, {"is", "are", "am", "'m", "'re"}) && !tree.is_lower(word, {"be", "do"}))
        return found.substituted(word, "behind '" + tree[i].text + "' a verb has its -ing form or its past participle",
                                 {found.know.forms.form(*lemma, "VBG"), found.know.forms.form(*lemma, "VBN")});
    if (is_past || is_odd || (is_bare && tree.is_lower(i, {"was", "were", "be", "been"})))
        found.substituted(word, "behind '" + tree[i].text + "' a verb has its past participle",
                          {found.know.forms.form(*lemma, "VBN"), found.know.forms.form(*lemma, "VBG")});
}

// "for invite me", "before use the device"
void mark_behind_preposition(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
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
    const DependencyTree& tree = found.tree;
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
        found.redundant(next + 1, "'" + lemma + "' is followed by a verb without 'to'");
}

// "would rather staying", "spends time listen"
void mark_phrases(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
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
        mark_past_for_participle(found, i);
        mark_behind_have(found, i);
        mark_behind_be(found, i);
        mark_behind_preposition(found, i);
        mark_behind_verb(found, i);
        mark_phrases(found, i);
    }
}

}  // namespace craft
