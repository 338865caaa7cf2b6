#include "tools/grammar/clause_parts.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool is_clause_end(const ParsedSentence& tree, size_t i) {
    return i >= tree.size() || tree.is_tag(i, {",", ".", ":", "WDT", "WP", "WRB", "``", "''"}) ||
           tree.is_lower(i, {"that", "because", "if", "although", "and", "but", "as", "since", "until", "while", "whereas",
                             "before", "after", "than"});
}

// Times and ways are followed by clauses without "that", and a sentence that begins with one of them may be one.
bool is_time_or_way(const ParsedSentence& tree, size_t noun) {
    static constexpr std::string_view kNouns[] = {"time",    "day",    "moment",    "minute",   "year",      "week",
                                                  "month",   "way",    "night",     "morning",  "hour",      "instant",
                                                  "evening", "today",  "yesterday", "tomorrow", "afternoon", "second",
                                                  "summer",  "winter", "thing",     "reason",   "place",     "thanks"};
    return is_one_of(tree[noun].lemma, kNouns) || tree[noun].entity == "DATE" || tree[noun].entity == "TIME";
}

// "the more he works": what begins so is no subject.
bool begins_comparison(const ParsedSentence& tree, size_t begin) {
    return tree.is_tag(begin, {"JJR", "RBR", "PDT", "WDT"}) ||
           (tree.is_lower(begin, {"the"}) && tree.is_tag(begin + 1, {"JJR", "RBR"}));
}

// Whether the pronoun may stand for the noun phrase [begin, pronoun).
bool may_mean(const ParsedSentence& tree, size_t pronoun, size_t begin) {
    const bool is_they = tree.is_lower(pronoun, {"they"});
    for (size_t k = begin; k < pronoun; ++k) {
        const bool is_plural = tree.is_tag(k, {"NNS", "NNPS"}) ||
                               tree.is_lower(k, {"and", "bacteria", "people", "police"}) ||
                               (tree.tag(k) == "NN" && tree.dep(k) != "compound" && tree[k].lemma != tree[k].lower);
        if (is_they ? is_plural : tree.is_tag(k, {"NN", "NNP", "CD"})) return true;
    }
    return false;
}

// Another verb after it, in the same clause, would be the noun's: "The book he wrote is good".
bool has_second_verb(const ParsedSentence& tree, size_t verb) {
    for (size_t k = verb + 1; !is_clause_end(tree, k); ++k)
        if (is_finite_verb(tree, k) && tree.dep(k) != "amod" && !is_pronoun_subject(tree, k - 1)) return true;
    return false;
}

// After "and" the noun may be the last thing of a list that the clause before ends with.
bool may_end_a_list(const ParsedSentence& tree, size_t begin, size_t noun) {
    return begin > 0 && !tree[begin].sentence_start &&
           tree.is_lower(begin - 1, {"and", "or", ",", "but", "what", "which", "where", "before", "until"}) &&
           !tree.is_dep(noun, {"nsubj", "npadvmod", "nsubjpass", "dep", "ROOT"});
}

// "My brother he works": a pronoun after its noun.
void mark_subject_twice(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i == 0 || tree.tag(i) != "PRP" || !tree.is_lower(i, {"it", "he", "she", "they"})) return;
    const size_t noun = i - 1, verb = tree.after_adverbs(i + 1);
    const bool is_noun =
        is_noun_tag(tree, noun) || tree.is_tag(noun, {"CD"}) || tree.is_lower(noun, {"itself", "nobody", "everyone"});
    if (!is_noun || !is_finite_verb(tree, verb) || is_time_or_way(tree, noun)) return;
    const size_t begin = begin_of_subject(tree, noun);
    if (begin >= tree.size() || (begin == noun && tree.dep(noun) == "advmod") || begins_comparison(tree, begin)) return;
    if (may_mean(tree, i, begin) && !has_second_verb(tree, verb) && !may_end_a_list(tree, begin, noun))
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
    const bool continues =
        tree.is_tag(word + 1, {"IN", "TO", "DT", "PRP", "PRP$", "RB", "RP", ".", "WRB", "JJ", "NN", "NNS", "CD"});
    if (is_third && continues &&
        (tree.tag(word) == "VBZ" || (tree.tag(word) == "NNS" && !found.know.nouns.is_counted(*lemma)) ||
         (tree.tag(word) == "NNS" && !tree.is_lower(word + 1, {"of", "that", "in", "for", "which", "who"}))))
        return found.redundant(i, "'" + tree[word].text + "' is a verb of its own");
    const bool is_base = form == *lemma && tree.is_lower(i, {"am", "are"}) && tree.is_tag(word, {"VBP", "VB"}) &&
                         !found.know.forms.is_form(form, *lemma, "VBN");
    if (is_base && continues && tree.dep(i) != "ROOT") found.redundant(i, "'" + tree[word].text + "' is a verb of its own");
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
