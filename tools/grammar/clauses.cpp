#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool is_noun_tag(const DependencyTree& tree, size_t i) {
    return tree.is_tag(i, {"NN", "NNS", "NNP", "NNPS"});
}

bool is_in_noun_phrase(const DependencyTree& tree, size_t i) {
    return is_noun_tag(tree, i) || tree.is_tag(i, {"DT", "PRP$", "JJ", "JJR", "JJS", "CD", "POS", "HYPH", "PDT"}) ||
           (tree.is_tag(i, {"VBN", "VBG"}) && tree.dep(i) == "amod");
}

// Where a clause may begin: the sentence, or behind a comma, a conjunction or a word that joins clauses.
bool begins_clause(const DependencyTree& tree, size_t i) {
    if (i == 0 || tree[i].sentence_start) return true;
    return tree.is_lower(i - 1, {",", ";", ":", "that", "because", "if", "although", "though", "while", "whereas", "and", "but",
                                 "so", "or", "unless", "what"}) ||
           tree.is_tag(i - 1, {"``", "''"});
}

// The first token of the clause's first noun phrase, which ends with `last`, an "of" or "on" and their like within it; size()
// where something else stands before it.
size_t begin_of_subject(const DependencyTree& tree, size_t last) {
    size_t at = last;
    for (size_t i = last + 1; i-- > 0;) {
        if (!is_in_noun_phrase(tree, i) &&
            !(tree.is_lower(i, {"of", "on", "in", "at", "from", "with", "for"}) && i > 0 && is_noun_tag(tree, i - 1)) &&
            !(tree.is_lower(i, {"and"}) && i > 0 && is_noun_tag(tree, i - 1)))
            break;
        at = i;
        if (begins_clause(tree, i)) return i;
    }
    return begins_clause(tree, at) ? at : tree.size();
}

bool is_clause_end(const DependencyTree& tree, size_t i) {
    return i >= tree.size() || tree.is_tag(i, {",", ".", ":", "WDT", "WP", "WRB", "``", "''"}) ||
           tree.is_lower(i, {"that", "because", "if", "although", "and", "but", "as", "since", "until", "while", "whereas",
                             "before", "after", "than"});
}

// "My brother he works": a pronoun behind its noun. "The book he wrote is good" goes on with a verb of its own.
void mark_subject_twice(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    if (i == 0 || !tree.is_lower(i, {"it", "he", "she", "they"}) || !(is_noun_tag(tree, i - 1) || tree.is_tag(i - 1, {"CD"}) || tree.is_lower(i - 1, {"itself", "nobody", "everyone"}))) return;
    const size_t verb = tree.behind_adverbs(i + 1);
    if (!is_finite_verb(tree, verb) || tree.tag(i) != "PRP") return;
    // Times and ways are followed by such clauses, and a sentence that begins with one of them may be one.
    if (is_one_of(tree[i - 1].lemma, {"time", "day", "moment", "minute", "year", "week", "month", "way", "night", "morning",
                                      "hour", "instant", "evening", "today", "yesterday", "tomorrow", "afternoon", "second",
                                      "summer", "winter", "thing", "reason", "place", "thanks"}) ||
        tree[i - 1].entity == "DATE" || tree[i - 1].entity == "TIME")
        return;
    const size_t begin = begin_of_subject(tree, i - 1);
    if (begin >= tree.size() || (i - begin == 1 && tree.dep(i - 1) == "advmod")) return;
    if (tree.is_tag(begin, {"JJR", "RBR", "PDT", "WDT"}) || (tree.is_lower(begin, {"the"}) && tree.is_tag(begin + 1, {"JJR", "RBR"}))) return;
    const bool is_several = tree.tag(i - 1) == "NNS" || tree.tag(i - 1) == "NNPS";
    bool has_plural = is_several;
    for (size_t k = begin; k < i; ++k) has_plural = has_plural || tree.is_tag(k, {"NNS", "NNPS"}) || tree.is_lower(k, {"and"}) || (tree.tag(k) == "NN" && tree.dep(k) != "compound" && tree[k].lemma != tree[k].lower) || tree.is_lower(k, {"bacteria", "people", "police"});
    bool has_singular = false;
    for (size_t k = begin; k < i; ++k) has_singular = has_singular || tree.is_tag(k, {"NN", "NNP", "CD"});
    if (tree.is_lower(i, {"they"}) ? !has_plural : !has_singular) return;
    // Another verb behind it, in the same clause, would be the noun's.
    for (size_t k = verb + 1; !is_clause_end(tree, k); ++k)
        if (is_finite_verb(tree, k) && tree.dep(k) != "amod" && !tree.is_lower(k - 1, {"it", "he", "she", "they", "i", "we", "you"})) return;
    // Behind "and" the noun may be the last thing of a list that the clause before ends with.
    if (begin > 0 && !tree[begin].sentence_start && tree.is_lower(begin - 1, {"and", "or", ",", "but", "what"}) &&
        !tree.is_dep(i - 1, {"nsubj", "npadvmod", "nsubjpass", "dep"}))
        return;
    found.redundant(i, "the verb has its subject before '" + tree[i].text + "'");
}

// "it is lowers", "he is works": a form of be before a verb that is finite itself.
void mark_verb_twice(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    if (i == 0 || !is_pronoun_subject(tree, i - 1)) return;
    const size_t word = i + 1;
    const auto lemma = found.know.forms.verb_of(tree.lower(word));
    if (!lemma || *lemma == "be") return;
    const std::string& form = tree[word].lower;
    const bool is_third = form != *lemma && found.know.forms.is_form(form, *lemma, "VBZ") && tree.is_lower(i, {"is"}) &&
                          tree.is_lower(i - 1, {"it", "he", "she"});
    const bool goes_on = tree.is_tag(word + 1, {"IN", "TO", "DT", "PRP", "PRP$", "RB", "RP", ".", "WRB", "JJ", "NN", "NNS", "CD"});
    if (is_third && goes_on && (tree.tag(word) == "VBZ" || (tree.tag(word) == "NNS" && !found.tree.is_lower(word + 1, {"of", "that", "in", "for", "which", "who"}))))
        return found.redundant(i, "'" + tree[word].text + "' is a verb of its own");
    const bool is_base = form == *lemma && tree.is_lower(i, {"am", "are"}) && tree.is_tag(word, {"VBP", "VB"}) &&
                         !found.know.forms.is_form(form, *lemma, "VBN");
    if (is_base && goes_on && tree.dep(i) != "ROOT")
        found.redundant(i, "'" + tree[word].text + "' is a verb of its own");
}

// "will can go", "can able to go"
void mark_two_modals(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    if (tree.tag(i) != "MD") return;
    if (tree.tag(i + 1) == "MD" && !tree.is_lower(i + 1, {"need"}) && tree[i].space_after) return found.redundant(i + 1, "two modal verbs do not stand together");
    if (tree.is_lower(i, {"can", "could"}) && tree.is_lower(i + 1, {"able"}) && tree.is_lower(i + 2, {"to"}))
        found.redundant(i + 1, "'" + tree[i].text + "' says that already", 2);
}

// "The bats not call": behind a subject 'not' needs an auxiliary.
void mark_bare_not(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    if (i == 0 || !tree.is_lower(i, {"not"}) || !tree.is_tag(i + 1, {"VB", "VBP", "VBZ"})) return;
    const bool is_behind_subject = tree.is_lower(i - 1, {"i", "he", "she", "we", "they", "you", "it"}) || tree.is_tag(i - 1, {"NN", "NNS", "NNP"}) ||
                                   (tree.tag(i - 1) == "," && tree.is_tag(i - 2, {"NNP"}));
    const size_t verb = i + 1;
    if (!is_behind_subject || !tree.has_child(verb, {"nsubj", "nsubjpass"}) || tree.has_child(verb, {"aux", "auxpass"}) || tree[verb].lemma == "be" || tree[verb].lemma == "have") return;
    for (const size_t child : tree.children(verb))
        if (tree.is_dep(child, {"nsubj"}) && child > i) return;
    found.missing(i, "'not' needs an auxiliary verb before it", {"did", "do", "does"});
}

bool has_finite_verb(const DependencyTree& tree, size_t head) {
    if (is_finite_verb(tree, head)) return true;
    for (const size_t child : tree.children(head))
        if (tree.is_dep(child, {"aux", "auxpass", "cop"}) && is_finite_verb(tree, child)) return true;
    return false;
}

// A verb that the tagger takes for a noun or a participle: "My nephew types fast", "The team led by two".
bool may_be_finite(const RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    if (tree.tag(i) == "VB") return !tree.is_tag(i - 1, {"TO", "MD"});
    const auto verb = found.know.forms.verb_of(tree.lower(i));
    if (!verb || i == 0) return false;
    if (tree.tag(i) == "NNS") return found.know.forms.is_form(tree.lower(i), *verb, "VBZ") && is_noun_tag(tree, i - 1);
    if (tree.tag(i) == "NN") return is_noun_tag(tree, i - 1) && tree.lower(i) == *verb && tree.dep(i) == "ROOT";
    return tree.is_tag(i, {"VBN", "JJ"}) && is_noun_tag(tree, i - 1) && found.know.forms.is_form(tree.lower(i), *verb, "VBD");
}

// "Your report very long.", "Images taken every minute.": a sentence whose main clause has no finite verb.
void mark_no_verb(RuleMarks& found, size_t root) {
    const DependencyTree& tree = found.tree;
    if (tree.dep(root) != "ROOT" || tree[root].head != root) return;
    size_t begin = root, end = root;
    while (begin > 0 && !tree[begin].sentence_start) --begin;
    while (end + 1 < tree.size() && !tree[end + 1].sentence_start) ++end;
    if (tree.tag(end) != "." || tree.is_lower(end, {"?", "!"}) || end - begin < 3) return;
    size_t stop = begin;
    for (; stop < end; ++stop) {
        if (tree.is_tag(stop, {":", "``", "''", "-LRB-"}) || tree.is_lower(stop, {"?", "!"})) return;
        if (is_finite_verb(tree, stop) || may_be_finite(found, stop)) return;
    }
    // Where it would stand: behind the subject.
    const auto subject = tree.child(root, {"nsubj", "nsubjpass"});
    size_t gap = tree.size();
    if (subject && *subject < root) {
        gap = root;
        while (gap > begin && (tree.tag(gap - 1) == "RB" || tree.is_dep(gap - 1, {"neg", "advmod", "amod", "nummod", "npadvmod", "det", "compound"}) ) && gap - 1 > *subject) --gap;
    } else if (is_noun_tag(tree, root)) {
        for (size_t k = root + 1; k < end && gap == tree.size(); ++k)
            if (tree[k].head == root && !tree.is_dep(k, {"prep", "punct", "cc", "conj"})) {
                gap = k;
                while (gap > root + 1 && tree[gap - 1].head == gap) --gap;
                for (size_t c : tree.children(k))
                    if (c < gap && c > root) gap = c;
            }
    }
    if (gap >= tree.size() || gap == begin || !(begins_clause(tree, begin))) return;
    if (!tree.is_tag(begin, {"DT", "PRP", "PRP$", "NN", "NNS", "NNP", "JJ", "CD"})) return;
    found.missing(gap, "the sentence has no verb", {"is", "are", "was", "were"});
}

// "they merely slow", "it very heavy": a pronoun that is a subject by its form, and a quality behind it.
void mark_pronoun_without_verb(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    if (!tree.is_lower(i, {"i", "he", "she", "we", "they", "it"})) return;
    const bool is_first = begins_clause(tree, i) || tree.is_lower(i - 1, {"when", "where"});
    if (!is_first && tree.is_lower(i, {"it"})) return;
    size_t word = i + 1;
    while (tree.is_lower(word, {"very", "so", "too", "quite", "really", "merely", "probably", "still", "already", "always", "also", "just", "not", "now", "often", "never", "rather"})) ++word;
    const size_t behind = word + 1;
    const bool is_quality = (tree.tag(word) == "JJ" && !found.know.forms.is_verb(tree.lower(word)) && tree.is_tag(behind, {".", ",", "IN", "TO", "CC", "RB"})) ||
                            (tree.tag(word) == "VBG" && word > i + 1) || (tree.is_tag(word, {"DT"}) && tree.is_lower(word, {"a", "an"}) && is_first);
    if (!is_quality || !tree.is_tag(i, {"PRP"}) || (i > 0 && tree.is_tag(i - 1, {"VB", "VBD", "VBZ", "VBP", "VBG", "VBN"}))) return;
    if (i > 0 && tree.is_lower(i - 1, {"and", "or", ",", ":"}) && !(tree.is_lower(i, {"they", "he", "she", "we", "i"}) )) return;
    found.missing(i + 1, "'" + tree[i].text + "' is followed by no verb",
                  {tree.is_lower(i, {"i"}) ? "am" : tree.is_lower(i, {"we", "they"}) ? "are" : "is", "was"});
}

// "He says that doesn't matter", "when waved", "because is late": joined, but by no subject.
void mark_no_subject(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    const size_t verb = i + 1;
    if (!is_finite_verb(tree, verb)) return;
    const bool is_joined = (tree.is_lower(i, {"because", "although", "though", "if", "until", "unless", "whereas"}) && tree.tag(i) == "IN" &&
                            !tree.is_lower(verb, {"had", "were", "should"})) ||
                           (tree.is_lower(i, {"when", "while"}) && tree.is_tag(verb, {"VBZ", "VBD", "MD"}) && !(tree.tag(verb) == "VBD" && i > 0 && tree.lower(verb).ends_with("ed") && !tree.is_tag(verb + 1, {"DT", "PRP", "PRP$", "IN"})) && !tree.is_lower(verb, {"do", "did", "does", "is", "are", "was", "were", "can", "will", "should", "would", "has", "have", "had", "could", "may", "might"}));
    const bool is_said = i > 0 && tree.is_lower(i, {"that"}) && tree[i - 1].tag.starts_with("V") && is_finite_verb(tree, verb) &&
                         is_one_of(tree[i - 1].lemma, {"say", "think", "believe", "know", "be", "mean", "hope", "feel", "show", "find", "claim", "report", "argue", "discover", "add", "warn", "suggest", "reply", "swear", "admit", "decide", "explain"}) &&
                         tree.is_tag(i, {"IN", "WDT"}) && !tree.is_lower(i - 1, {"'s"}) && (!tree.is_lower(verb, {"is", "was"}) || tree.tag(i) == "IN");
    if (!is_joined && !is_said) return;
    if (tree.has_child(verb, {"expl"}) || tree.is_lower(verb + 1, {"i", "he", "she", "we", "they", "it", "you", "there"})) return;
    if (tree.tag(verb) == "VBD" && tree.lower(verb).ends_with("ed") && is_joined && tree.is_lower(i, {"if", "until", "unless", "although", "though", "while"})) return;
    found.missing(verb, "the clause behind '" + tree[i].text + "' has no subject", {"it", "they", "he"});
}

// "It was cheap, we bought it": two sentences with a comma between them.
void mark_comma_splice(RuleMarks& found, size_t comma) {
    const DependencyTree& tree = found.tree;
    if (tree.lower(comma) != "," || comma < 3) return;
    size_t begin = comma, end = comma;
    while (begin > 0 && !tree[begin].sentence_start) --begin;
    while (end + 1 < tree.size() && !tree[end + 1].sentence_start) ++end;
    if (tree.is_lower(end, {"?"})) return;
    size_t subject = comma + 1;
    const bool is_pronoun = is_pronoun_subject(tree, subject) || tree.is_lower(subject, {"there"});
    if (!is_pronoun) {
        if (!is_in_noun_phrase(tree, subject)) return;
        while (is_in_noun_phrase(tree, subject) && subject < comma + 6 && !is_noun_tag(tree, subject)) ++subject;
        while (is_noun_tag(tree, subject + 1)) ++subject;
    }
    const size_t verb = tree.behind_adverbs(subject + 1);
    if (!is_finite_verb(tree, verb)) return;
    const bool is_subject = tree.is_dep(subject, {"nsubj", "nsubjpass", "expl"});
    if (!is_subject) return;
    const size_t head = tree[subject].head;
    // What stands before the comma is a clause of its own: a subject and a finite verb, and no word that joins it.
    bool has_subject = false, has_verb = false;
    for (size_t k = begin; k < comma; ++k) {
        if (tree.is_tag(k, {"``", "''", ":", "-LRB-", "-RRB-"}) ) return;
        if (tree.is_dep(k, {"nsubj", "nsubjpass", "expl"}) && !tree.is_tag(k, {"WDT", "WP"})) has_subject = true;
        if (has_subject && is_finite_verb(tree, k)) has_verb = true;
        if (tree.is_tag(k, {"WRB"}) && k == begin) return;
        // ", and to be fair, it is": what stands between two commas.
        if (tree.lower(k) == "," && !has_verb) has_subject = false;
        if (tree.is_lower(k, {"if", "when", "because", "although", "though", "while", "since", "unless", "until", "whereas", "as", "whenever", "wherever", "whatever", "before", "after", "once", "where", "whether", "the"}) &&
            (!tree.is_lower(k, {"the"}) || tree.is_tag(k + 1, {"JJR", "RBR"})) && !(tree.is_lower(k, {"since", "as", "before", "after", "once"}) && !tree.is_dep(k, {"mark", "advmod"})))
            return;
    }
    for (size_t k = comma + 1; k < end; ++k)
        if (tree.is_tag(k, {"``", "''", ":"})) return;
    // Lists of clauses end with "and"; speech and what is thought ends with who says it.
    for (size_t k = comma + 1; k + 1 < end; ++k)
        if (tree.lower(k) == "," && tree.is_lower(k + 1, {"and", "or", "but"})) return;
    if (!has_subject || !has_verb || tree.is_dep(head, {"relcl", "acl", "advcl"}) || is_one_of(tree[head].lemma, {"say", "think", "ask", "believe", "tell", "know", "suppose", "mean", "add", "write", "argue", "explain", "hear", "claim", "report", "warn", "guess", "hope", "seem", "find", "call", "remember"})) return;
    // The clause before must be the main one of its part: its verb and the one behind the comma depend on each other directly.
    const bool is_parallel = tree.is_dep(head, {"conj", "ROOT", "ccomp", "parataxis"}) &&
                             (tree.dep(head) != "ROOT" || tree.has_child(head, {"ccomp", "parataxis"}) || [&] {
                                 for (const size_t child : tree.children(head))
                                     if (child < comma && tree.is_dep(child, {"ccomp", "conj", "parataxis"})) return true;
                                 return false;
                             }());
    if (!is_parallel) return;
    if (tree.dep(head) == "ROOT" && tree.tag(head).starts_with("VB")) {
        bool has_before = false;
        for (const size_t child : tree.children(head))
            if (child < comma && tree.is_dep(child, {"ccomp", "parataxis"}) && has_finite_verb(tree, child)) has_before = true;
        if (!has_before) return;
    }
    if (tree.dep(head) != "ROOT" && tree[head].head > comma) return;
    found.missing(comma + 1, "a comma alone does not join two sentences", {"and"});
}

}  // namespace

void mark_clauses(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_subject_twice(found, i);
        mark_verb_twice(found, i);
        mark_two_modals(found, i);
        mark_bare_not(found, i);
        mark_no_verb(found, i);
        mark_pronoun_without_verb(found, i);
        mark_no_subject(found, i);
        mark_comma_splice(found, i);
    }
}

}  // namespace craft
