#include "tools/grammar/clause_parts.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool is_clause_end(const ParsedSentence& tree, size_t i) {
    return i >= tree.size() || tree.is_tag(i, {",", ".", ":", "WDT", "WP", "WRB", "``", "''"}) ||
           tree.is_lower(i, {"that", "because", "if", "although", "and", "but", "as", "since", "until", "while", "whereas",
                             "before", "after", "than"});
}

// "My brother he works": a pronoun behind its noun. "The book he wrote is good" goes on with a verb of its own.
void mark_subject_twice(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i == 0 || !tree.is_lower(i, {"it", "he", "she", "they"}) ||
        !(is_noun_tag(tree, i - 1) || tree.is_tag(i - 1, {"CD"}) || tree.is_lower(i - 1, {"itself", "nobody", "everyone"})))
        return;
    const size_t verb = tree.behind_adverbs(i + 1);
    if (!is_finite_verb(tree, verb) || tree.tag(i) != "PRP") return;
    // Times and ways are followed by such clauses, and a sentence that begins with one of them may be one.
    if (is_one_of(tree[i - 1].lemma,
                  {"time",      "day",     "moment", "minute",  "year",    "week",   "month",     "way",
                   "night",     "morning", "hour",   "instant", "evening", "today",  "yesterday", "tomorrow",
                   "afternoon", "second",  "summer", "winter",  "thing",   "reason", "place",     "thanks"}) ||
        tree[i - 1].entity == "DATE" || tree[i - 1].entity == "TIME")
        return;
    const size_t begin = begin_of_subject(tree, i - 1);
    if (begin >= tree.size() || (i - begin == 1 && tree.dep(i - 1) == "advmod")) return;
    if (tree.is_tag(begin, {"JJR", "RBR", "PDT", "WDT"}) ||
        (tree.is_lower(begin, {"the"}) && tree.is_tag(begin + 1, {"JJR", "RBR"})))
        return;
    const bool is_several = tree.tag(i - 1) == "NNS" || tree.tag(i - 1) == "NNPS";
    bool has_plural = is_several;
    for (size_t k = begin; k < i; ++k)
        has_plural = has_plural || tree.is_tag(k, {"NNS", "NNPS"}) || tree.is_lower(k, {"and"}) ||
                     (tree.tag(k) == "NN" && tree.dep(k) != "compound" && tree[k].lemma != tree[k].lower) ||
                     tree.is_lower(k, {"bacteria", "people", "police"});
    bool has_singular = false;
    for (size_t k = begin; k < i; ++k) has_singular = has_singular || tree.is_tag(k, {"NN", "NNP", "CD"});
    if (tree.is_lower(i, {"they"}) ? !has_plural : !has_singular) return;
    // Another verb behind it, in the same clause, would be the noun's.
    for (size_t k = verb + 1; !is_clause_end(tree, k); ++k)
        if (is_finite_verb(tree, k) && tree.dep(k) != "amod" &&
            !tree.is_lower(k - 1, {"it", "he", "she", "they", "i", "we", "you"}))
            return;
    // Behind "and" the noun may be the last thing of a list that the clause before ends with.
    if (begin > 0 && !tree[begin].sentence_start &&
        tree.is_lower(begin - 1, {"and", "or", ",", "but", "what", "which", "where", "before", "until"}) &&
        !tree.is_dep(i - 1, {"nsubj", "npadvmod", "nsubjpass", "dep", "ROOT"}))
        return;
    found.redundant(i, "the verb has its subject before '" + tree[i].text + "'");
}

// "it is lowers", "he is works": a form of be before a verb that is finite itself.
void mark_verb_twice(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i == 0 || !is_pronoun_subject(tree, i - 1)) return;
    const size_t word = i + 1;
    const auto lemma = found.know.forms.verb_of(tree.lower(word));
    if (!lemma || *lemma == "be") return;
    const std::string& form = tree[word].lower;
    const bool is_third = form != *lemma && found.know.forms.is_form(form, *lemma, "VBZ") && tree.is_lower(i, {"is"}) &&
                          tree.is_lower(i - 1, {"it", "he", "she"});
    const bool goes_on =
        tree.is_tag(word + 1, {"IN", "TO", "DT", "PRP", "PRP$", "RB", "RP", ".", "WRB", "JJ", "NN", "NNS", "CD"});
    if (is_third && goes_on &&
        (tree.tag(word) == "VBZ" || (tree.tag(word) == "NNS" && !found.know.nouns.is_counted(*lemma)) ||
         (tree.tag(word) == "NNS" && !tree.is_lower(word + 1, {"of", "that", "in", "for", "which", "who"}))))
        return found.redundant(i, "'" + tree[word].text + "' is a verb of its own");
    const bool is_base = form == *lemma && tree.is_lower(i, {"am", "are"}) && tree.is_tag(word, {"VBP", "VB"}) &&
                         !found.know.forms.is_form(form, *lemma, "VBN");
    if (is_base && goes_on && tree.dep(i) != "ROOT") found.redundant(i, "'" + tree[word].text + "' is a verb of its own");
}

// "will can go", "can able to go"
void mark_two_modals(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.tag(i) != "MD") return;
    if (tree.tag(i + 1) == "MD" && !tree.is_lower(i + 1, {"need"}) && tree[i].space_after)
        return found.redundant(i + 1, "two modal verbs do not stand together");
    if (tree.is_lower(i, {"can", "could"}) && tree.is_lower(i + 1, {"able"}) && tree.is_lower(i + 2, {"to"}))
        found.redundant(i + 1, "'" + tree[i].text + "' says that already", 2);
}

}  // namespace

void mark_said_twice(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_subject_twice(found, i);
        mark_verb_twice(found, i);
        mark_two_modals(found, i);
    }
}

}  // namespace craft
