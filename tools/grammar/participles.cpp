#include <optional>

#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

// "has went", "have eat", "had rose"
void mark_behind_have(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"have", "has", "had", "'ve"}) || (tree.dep(i) != "aux" && !tree.is_lower(i, {"'ve"}))) return;
    const size_t verb = verb_behind(tree, i);
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
// and the tree of such a sentence seldom has the auxiliary where mark_behind_have() looks for it.
void mark_past_for_participle(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"have", "has", "had", "'ve"})) return;
    const size_t verb = verb_behind(tree, i);
    const std::string word(tree.lower(verb));
    const std::optional<std::string> lemma =
        word == "be" ? std::optional(word) : found.know.forms.irregular_verb_of(word);
    if (!lemma || found.know.forms.is_form(word, *lemma, "VBN") || tree.is_lower(verb, {"am", "is", "are", "being"})) return;
    if (tree.tag(verb) != "NN" && !tree.is_lower(verb + 1, {"not"}))
        found.substituted(verb, "behind '" + tree[i].text + "' a verb has its past participle",
                          {found.know.forms.form(*lemma, "VBN")});
}

bool is_form_of_be(const ParsedSentence& tree, size_t i) {
    return tree.is_lower(i, {"is", "are", "was", "were", "am", "be", "been", "being", "'m", "'re"});
}

// "was delay", "is go", "he is lives in"
void mark_behind_be(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
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

// "been award", "have clog", "was gave": a base or a past form where nothing but a participle goes on.
void mark_bare_participle(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool is_been = tree.is_lower(i, {"been", "being"});
    const bool is_have = tree.is_lower(i, {"have", "has", "'ve"}) || (tree.is_lower(i, {"had"}) && tree.dep(i) == "aux");
    const bool is_be = is_form_of_be(tree, i);
    if (!is_be && !is_have) return;
    const size_t verb = tree.behind_adverbs(i + 1);
    const auto lemma = found.know.forms.verb_of(tree.lower(verb));
    if (!lemma || verb >= tree.size() || tree.is_tag(verb + 1, {"POS", "HYPH", "NN", "NNS"})) return;
    const std::string& word = tree[verb].lower;
    if (found.know.forms.is_form(word, *lemma, "VBN") || word.ends_with("ing")) return;
    const bool is_base = word == *lemma && tree.is_tag(verb, {"VB", "VBP"});
    const bool is_past = word != *lemma && found.know.forms.is_form(word, *lemma, "VBD") && tree.tag(verb) != "JJ";
    // "It is cost that matters": a noun may be meant where no preposition or article goes on.
    const bool goes_on = tree.is_tag(verb + 1, {"IN", "TO", "RP", "RB", "DT", "PRP$", "."});
    const bool is_odd = is_been && word == *lemma && tree.is_tag(verb, {"NN", "JJ", "VBD"}) &&
                        !found.know.forms.is_adjective(word) && goes_on;
    const bool is_asked = i == 0 || tree.is_tag(i - 1, {"WRB", "WP", "CC"}) || tree[i].sentence_start;
    if (is_have ? (is_base && tree.dep(i) == "aux" && !is_asked && verb == i + 1)
                : ((is_base || is_past || is_odd) && goes_on))
        found.substituted(verb, "behind '" + tree[i].text + "' a verb has a participle",
                          {found.know.forms.form(*lemma, "VBN"), found.know.forms.form(*lemma, "VBG")});
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
        mark_behind_have(found, i);
        mark_behind_be(found, i);
        mark_bare_participle(found, i);
        mark_regular_past(found, i);
        mark_joined_tenses(found, i);
    }
}

}  // namespace craft
