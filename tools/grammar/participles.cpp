#include <optional>

#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

// "has went", "have eat", "had rose"
void mark_after_have(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"have", "has", "had", "'ve"}) || (tree.dep(i) != "aux" && !tree.is_lower(i, {"'ve"}))) return;
    const size_t verb = verb_after(tree, i);
    if (verb >= tree.size() || !tree[verb].tag.starts_with("VB") || tree.is_lower(verb, {"better", "rather"})) return;
    if (tree[i].head != verb && tree[verb].head != tree[i].head) return;
    const auto lemma = found.know.forms.verb_of(tree[verb].lower);
    if (!lemma || found.know.forms.is_form(tree[verb].lower, *lemma, "VBN")) return;
    if (tree.tag(verb) == "VBN" && tree[verb].lower == *lemma)
        return;  // "run", "come": the table may know the other form alone
    if (i > 0 && tree.is_lower(i, {"had"}) && tree.is_lower(i + 1, {"better", "rather", "to"})) return;
    found.substituted(verb, "behind '" + tree[i].text + "' a verb has its past participle",
                      {found.know.forms.form(*lemma, "VBN")});
}

// "has rose", "have you saw": irregular pasts by themselves, since some are other verbs' base forms ("to saw", "to fell")
// and the tree of such a sentence seldom has the auxiliary where mark_after_have() looks for it.
void mark_past_for_participle(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"have", "has", "had", "'ve"})) return;
    const size_t verb = verb_after(tree, i);
    const std::string word(tree.lower(verb));
    const std::optional<std::string> lemma = word == "be" ? std::optional(word) : found.know.forms.irregular_verb_of(word);
    if (!lemma || found.know.forms.is_form(word, *lemma, "VBN") || tree.is_lower(verb, {"am", "is", "are", "being"})) return;
    if (tree.tag(verb) != "NN" && !tree.is_lower(verb + 1, {"not"}))
        found.substituted(verb, "behind '" + tree[i].text + "' a verb has its past participle",
                          {found.know.forms.form(*lemma, "VBN")});
}

bool is_form_of_be(const ParsedSentence& tree, size_t i) {
    return tree.is_lower(i, {"is", "are", "was", "were", "am", "be", "been", "being", "'m", "'re"});
}

// A form of "be" and the verb after it.
struct VerbBehindBe {
    size_t be = 0, verb = 0;
    std::string lemma;
};

std::optional<VerbBehindBe> verb_after_be(const RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!is_form_of_be(tree, i)) return std::nullopt;
    const size_t verb = tree.after_adverbs(i + 1);
    const auto lemma = found.know.forms.verb_of(tree.lower(verb));
    if (!lemma) return std::nullopt;
    return VerbBehindBe{i, verb, *lemma};
}

// "he is lives in"
bool mark_be_before_finite(RuleMarks& found, const VerbBehindBe& at) {
    const ParsedSentence& tree = found.tree;
    if (at.be == 0 || at.verb != at.be + 1 || !tree.is_lower(at.be - 1, {"he", "she"}) ||
        !tree.is_lower(at.be, {"is", "was"}) || !found.know.forms.is_form(tree[at.verb].lower, at.lemma, "VBZ") ||
        !tree.is_tag(at.verb + 1, {"IN", "TO", "DT", "PRP", "PRP$", "RB"}))
        return false;
    found.redundant(at.be, "'" + tree[at.verb].text + "' is a verb of its own");
    return true;
}

// "I am knowing", "they are go": after a pronoun and a present form of "be".
bool mark_after_present_be(RuleMarks& found, const VerbBehindBe& at, bool is_bare) {
    const ParsedSentence& tree = found.tree;
    if (at.be == 0 || !tree.is_lower(at.be - 1, {"i", "he", "she", "we", "they", "you"}) ||
        !tree.is_lower(at.be, {"is", "are", "am", "'m", "'re"}))
        return false;
    const WordForms& forms = found.know.forms;
    if (tree.tag(at.verb) == "VBG" && listed_words("state_verbs").contains(at.lemma)) {
        found.substituted(at.be, "'" + at.lemma + "' is a state and stands without 'be'",
                          {forms.agreeing(at.lemma, tree.is_lower(at.be, {"is"}))}, at.verb - at.be + 1);
        return true;
    }
    if (!is_bare || tree.is_lower(at.verb, {"be", "do"})) return false;
    found.substituted(at.verb, "behind '" + tree[at.be].text + "' a verb has its -ing form or its past participle",
                      {forms.form(at.lemma, "VBG"), forms.form(at.lemma, "VBN")});
    return true;
}

// "the train was delay in": a verb that is taken for an adjective.
bool is_taken_for_adjective(const RuleMarks& found, const VerbBehindBe& at) {
    const ParsedSentence& tree = found.tree;
    return tree.tag(at.verb) == "JJ" && tree.dep(at.verb) == "acomp" && tree[at.verb].lower == at.lemma &&
           at.verb == at.be + 1 && !found.know.forms.is_adjective(at.lemma) && tree.is_tag(at.verb + 1, {"IN", "RB"}) &&
           is_one_of(at.lemma,
                     {"delay", "accuse", "surprise", "interest", "bore", "disappoint", "damage", "worry", "marry", "publish",
                      "organise", "organize", "punish", "destroy", "excite", "educate", "involve", "locate"});
}

// "was delay", "is go", "he is lives in"
void mark_after_be(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const auto at = verb_after_be(found, i);
    if (!at || tree.is_lower(i, {"being"})) return;
    const WordForms& forms = found.know.forms;
    const bool is_bare =
        tree.is_tag(at->verb, {"VB", "VBP"}) && tree[at->verb].lower == at->lemma && tree[i].head == at->verb;
    if (mark_be_before_finite(found, *at) || mark_after_present_be(found, *at, is_bare)) return;
    const bool is_past =
        tree.tag(at->verb) == "VBD" && !forms.is_form(tree[at->verb].lower, at->lemma, "VBN") && at->verb == i + 1;
    if (is_past || is_taken_for_adjective(found, *at) || (is_bare && tree.is_lower(i, {"was", "were", "be", "been"})))
        found.substituted(at->verb, "behind '" + tree[i].text + "' a verb has its past participle",
                          {forms.form(at->lemma, "VBN"), forms.form(at->lemma, "VBG")});
}

void mark_needs_participle(RuleMarks& found, size_t before, size_t verb, const std::string& lemma) {
    found.substituted(verb, "behind '" + found.tree[before].text + "' a verb has a participle",
                      {found.know.forms.form(lemma, "VBN"), found.know.forms.form(lemma, "VBG")});
}

// Whether a word is no participle of the verb, and no noun that belongs to the next one.
bool is_no_participle(const RuleMarks& found, size_t verb, const std::string& lemma) {
    const std::string_view word = found.tree.lower(verb);
    return !found.tree.is_tag(verb + 1, {"POS", "HYPH", "NN", "NNS"}) && !found.know.forms.is_form(word, lemma, "VBN") &&
           !word.ends_with("ing");
}

// "been award", "was gave": a base or a past form where nothing but a participle continues.
void mark_bare_after_be(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const auto at = verb_after_be(found, i);
    // "It is cost that matters": a noun may be meant where no preposition or article continues.
    if (!at || !is_no_participle(found, at->verb, at->lemma) ||
        !tree.is_tag(at->verb + 1, {"IN", "TO", "RP", "RB", "DT", "PRP$", "."}))
        return;
    const std::string& word = tree[at->verb].lower;
    const bool is_base = word == at->lemma && tree.is_tag(at->verb, {"VB", "VBP"});
    const bool is_past = word != at->lemma && found.know.forms.is_form(word, at->lemma, "VBD") && tree.tag(at->verb) != "JJ";
    const bool is_odd = tree.is_lower(i, {"been", "being"}) && word == at->lemma &&
                        tree.is_tag(at->verb, {"NN", "JJ", "VBD"}) && !found.know.forms.is_adjective(word);
    if (is_base || is_past || is_odd) mark_needs_participle(found, i, at->verb, at->lemma);
}

// "have clog"
void mark_bare_after_have(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.dep(i) != "aux" || !tree.is_lower(i, {"have", "has", "'ve", "had"})) return;
    const bool is_asked = i == 0 || tree.is_tag(i - 1, {"WRB", "WP", "CC"}) || tree[i].sentence_start;
    const size_t verb = i + 1;
    const auto lemma = found.know.forms.verb_of(tree.lower(verb));
    if (is_asked || !lemma || tree.lower(verb) != *lemma || !tree.is_tag(verb, {"VB", "VBP"})) return;
    if (is_no_participle(found, verb, *lemma)) mark_needs_participle(found, i, verb, *lemma);
}

// "throwed", "meeted": -ed on a verb whose past is another word.
void mark_regular_past(RuleMarks& found, size_t i) {
    const std::string& word = found.tree[i].lower;
    if (word.size() < 5 || !word.ends_with("ed") || found.know.is_word(word)) return;
    const std::string stem = word.substr(0, word.size() - 2);
    for (const std::string& lemma : {stem, stem + "e", stem.substr(0, stem.size() - 1)}) {
        if (!found.know.forms.is_verb(lemma) || found.know.forms.is_form(word, lemma, "VBD") ||
            found.know.forms.is_form(word, lemma, "VBN"))
            continue;
        const std::string past = found.know.forms.form(lemma, "VBD");
        if (!past.ends_with("ed") && past != word && found.know.is_common(past))
            return found.substituted(i, "the past of '" + lemma + "' is '" + past + "'", {past});
    }
}

// "he opened the door and looks out": verbs that 'and' joins stand in one tense.
void mark_joined_tenses(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const size_t first = tree[i].head;
    if (tree.dep(i) != "conj" || first >= i || tree.tag(first) != "VBD" || tree.dep(first) == "relcl") return;
    if (!tree.is_tag(i, {"VBZ", "VBP", "VB"}) || tree[i].lemma == "be" || tree[i].lemma == "have") return;
    if (tree.has_child(i, {"nsubj", "nsubjpass", "aux", "expl", "mark", "advmod"}) ||
        tree.has_child(first, {"aux", "auxpass"}))
        return;
    // "they made him sit and wait", "put it and let it"
    for (size_t k = first + 1; k < i; ++k)
        if (tree.is_tag(k, {"VB", "VBZ", "VBP", "MD", "TO", "``", "''", ":"}) ||
            tree.is_lower(k, {"that", "who", "which", "do"}))
            return;
    const auto lemma = found.know.forms.verb_of(tree[i].lower);
    if (!lemma || found.know.forms.is_form(tree[i].lower, *lemma, "VBD")) return;
    found.substituted(i, "'" + tree[first].text + "', which it is joined with, is in the past",
                      {found.know.forms.form(*lemma, "VBD")});
}

}  // namespace

void mark_participles(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_past_for_participle(found, i);
        mark_after_have(found, i);
        mark_after_be(found, i);
        mark_bare_after_be(found, i);
        mark_bare_after_have(found, i);
        mark_regular_past(found, i);
        mark_joined_tenses(found, i);
    }
}

}  // namespace craft
