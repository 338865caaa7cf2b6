#include "tools/grammar/clause_parts.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

// "The bats not call": after a subject 'not' needs an auxiliary.
void mark_bare_not(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i == 0 || !tree.is_lower(i, {"not"}) || !tree.is_tag(i + 1, {"VB", "VBP", "VBZ"})) return;
    const bool is_after_subject = tree.is_lower(i - 1, {"i", "he", "she", "we", "they", "you", "it"}) ||
                                  tree.is_tag(i - 1, {"NN", "NNS", "NNP"}) ||
                                  (tree.tag(i - 1) == "," && tree.is_tag(i - 2, {"NNP"}));
    const size_t verb = i + 1;
    if (!is_after_subject || !tree.has_child(verb, {"nsubj", "nsubjpass"}) || tree.has_child(verb, {"aux", "auxpass"}) ||
        tree[verb].lemma == "be" || tree[verb].lemma == "have")
        return;
    for (const size_t child : tree.children(verb))
        if (tree.is_dep(child, {"nsubj"}) && child > i) return;
    found.missing(i, "'not' needs an auxiliary verb before it", {"did", "do", "does"});
}

// A verb that the tagger takes for a noun or a participle: "My nephew types fast", "The team led by two".
bool may_be_finite(const RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.tag(i) == "VB") return !tree.is_tag(i - 1, {"TO", "MD"});
    const auto verb = found.know.forms.verb_of(tree.lower(i));
    if (!verb) return false;
    // "Count the strokes", "Two of them clean the offices": a bare form with its object right after it.
    const bool is_bare = tree.lower(i) == *verb && tree.is_tag(i, {"NN", "NNP", "JJ"});
    if (is_bare && (i == 0 || tree[i].sentence_start || tree.is_tag(i - 1, {"NNS", "CD", "PRP"})) &&
        tree.is_tag(i + 1, {"DT", "PRP$", "CD", "PRP", "TO", "IN"}))
        return true;
    if (i == 0) return false;
    if (tree.tag(i) == "NNS") return found.know.forms.is_form(tree.lower(i), *verb, "VBZ") && is_noun_tag(tree, i - 1);
    if (tree.tag(i) == "NN") return is_noun_tag(tree, i - 1) && tree.lower(i) == *verb && tree.dep(i) == "ROOT";
    return tree.is_tag(i, {"VBN", "JJ"}) && is_noun_tag(tree, i - 1) &&
           found.know.forms.is_form(tree.lower(i), *verb, "VBD");
}

// Whether any word before the sentence's last mark is or may be a finite verb, or a mark stands there after which a part of
// a sentence may stand by itself.
bool may_have_verb(const RuleMarks& found, const SentenceEnds& ends) {
    const ParsedSentence& tree = found.tree;
    for (size_t i = ends.begin; i < ends.end; ++i)
        if (tree.is_tag(i, {":", "``", "''", "-LRB-"}) || tree.is_lower(i, {"?", "!"}) || is_finite_verb(tree, i) ||
            may_be_finite(found, i))
            return true;
    return false;
}

// Before what is said of the subject: "Your report [is] very long".
size_t gap_after_subject(const ParsedSentence& tree, size_t subject, size_t root) {
    size_t gap = root;
    while (gap - 1 > subject && (tree.tag(gap - 1) == "RB" ||
                                 tree.is_dep(gap - 1, {"neg", "advmod", "amod", "nummod", "npadvmod", "det", "compound"})))
        --gap;
    return gap;
}

// After a noun that the tree takes for the sentence's root: "Images [are] taken every minute"; size() where nothing follows
// it.
size_t gap_after_noun(const ParsedSentence& tree, size_t noun, size_t end) {
    for (size_t i = noun + 1; i < end; ++i) {
        if (tree[i].head != noun || tree.is_dep(i, {"prep", "punct", "cc", "conj"})) continue;
        size_t gap = i;
        while (gap > noun + 1 && tree[gap - 1].head == gap) --gap;
        for (const size_t child : tree.children(i))
            if (child < gap && child > noun) gap = child;
        return gap;
    }
    return tree.size();
}

// "Your report very long.", "Images taken every minute.": a sentence whose main clause has no finite verb.
void mark_no_verb(RuleMarks& found, size_t root) {
    const ParsedSentence& tree = found.tree;
    if (tree.dep(root) != "ROOT" || tree[root].head != root) return;
    const SentenceEnds ends = sentence_around(tree, root);
    if (tree.tag(ends.end) != "." || tree.is_lower(ends.end, {"?", "!"}) || ends.end - ends.begin < 3) return;
    if (may_have_verb(found, ends)) return;
    const auto subject = tree.child(root, {"nsubj", "nsubjpass"});
    size_t gap = tree.size();
    if (subject && *subject < root)
        gap = gap_after_subject(tree, *subject, root);
    else if (is_noun_tag(tree, root))
        gap = gap_after_noun(tree, root, ends.end);
    const bool begins =
        begins_clause(tree, ends.begin) && tree.is_tag(ends.begin, {"DT", "PRP", "PRP$", "NN", "NNS", "NNP", "JJ", "CD"});
    if (begins && gap < tree.size() && gap != ends.begin)
        found.missing(gap, "the sentence has no verb", {"is", "are", "was", "were"});
}

// "they merely slow", "it very heavy": a pronoun that is a subject by its form, and a quality after it.
void mark_pronoun_without_verb(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"i", "he", "she", "we", "they", "it"})) return;
    const bool is_first = begins_clause(tree, i) || tree.is_lower(i - 1, {"when", "where"});
    if (!is_first && tree.is_lower(i, {"it"})) return;
    size_t word = i + 1;
    while (tree.is_lower(word, {"very", "so", "too", "quite", "really", "merely", "probably", "still", "already", "always",
                                "also", "just", "not", "now", "often", "never", "rather"}))
        ++word;
    const size_t behind = word + 1;
    const bool is_quality = (tree.tag(word) == "JJ" && !found.know.forms.is_verb(tree.lower(word)) &&
                             tree.is_tag(behind, {".", ",", "IN", "TO", "CC", "RB"})) ||
                            (tree.tag(word) == "VBG" && word > i + 1) ||
                            (tree.is_tag(word, {"DT"}) && tree.is_lower(word, {"a", "an"}) && is_first);
    if (!is_quality || !tree.is_tag(i, {"PRP"}) || (i > 0 && tree.is_tag(i - 1, {"VB", "VBD", "VBZ", "VBP", "VBG", "VBN"})))
        return;
    if (i > 0 && tree.is_lower(i - 1, {"and", "or", ",", ":"}) && !(tree.is_lower(i, {"they", "he", "she", "we", "i"})))
        return;
    found.missing(i + 1, "'" + tree[i].text + "' is followed by no verb",
                  {tree.is_lower(i, {"i"})            ? "am"
                   : tree.is_lower(i, {"we", "they"}) ? "are"
                                                      : "is",
                   "was"});
}

}  // namespace

void mark_clauses_without_verb(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_bare_not(found, i);
        mark_no_verb(found, i);
        mark_pronoun_without_verb(found, i);
    }
}

}  // namespace craft
