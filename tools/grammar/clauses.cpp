#include "tools/grammar/clause_parts.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool has_finite_verb(const DependencyTree& tree, size_t head) {
    if (is_finite_verb(tree, head)) return true;
    for (const size_t child : tree.children(head))
        if (tree.is_dep(child, {"aux", "auxpass", "cop"}) && is_finite_verb(tree, child)) return true;
    return false;
}

// "He says that doesn't matter", "when waved", "because is late": joined, but by no subject.
void mark_no_subject(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    const size_t verb = i + 1;
    if (!is_finite_verb(tree, verb)) return;
    const bool is_joined = (tree.is_lower(i, {"because", "although", "though", "if", "until", "unless", "whereas"}) &&
                            tree.tag(i) == "IN" && !tree.is_lower(verb, {"had", "were", "should"})) ||
                           (tree.is_lower(i, {"when", "while"}) && tree.is_tag(verb, {"VBZ", "VBD", "MD"}) &&
                            !(tree.tag(verb) == "VBD" && i > 0 && tree.lower(verb).ends_with("ed") &&
                              !tree.is_tag(verb + 1, {"DT", "PRP", "PRP$", "IN"})) &&
                            !tree.is_lower(verb, {"do", "did", "does", "is", "are", "was", "were", "can", "will", "should",
                                                  "would", "has", "have", "had", "could", "may", "might"}));
    const bool is_said =
        i > 0 && tree.is_lower(i, {"that"}) && tree[i - 1].tag.starts_with("V") && is_finite_verb(tree, verb) &&
        is_one_of(tree[i - 1].lemma, {"say",     "think", "believe", "know",   "be",     "mean",     "hope", "feel",
                                      "show",    "find",  "claim",   "report", "argue",  "discover", "add",  "warn",
                                      "suggest", "reply", "swear",   "admit",  "decide", "explain"}) &&
        tree.is_tag(i, {"IN", "WDT"}) && !tree.is_lower(i - 1, {"'s"}) &&
        (!tree.is_lower(verb, {"is", "was"}) || tree.tag(i) == "IN");
    if (!is_joined && !is_said) return;
    if (tree.has_child(verb, {"expl"}) || tree.is_lower(verb + 1, {"i", "he", "she", "we", "they", "it", "you", "there"}))
        return;
    if (tree.tag(verb) == "VBD" && tree.lower(verb).ends_with("ed") && is_joined &&
        tree.is_lower(i, {"if", "until", "unless", "although", "though", "while"}))
        return;
    found.missing(verb, "the clause behind '" + tree[i].text + "' has no subject", {"it", "they", "he"});
}

// "The man lives here is my uncle": a second verb that nothing joins and that has no subject of its own.
void mark_no_relative(RuleMarks& found, size_t i) {
    const DependencyTree& tree = found.tree;
    if (!tree.is_lower(i, {"is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could"}) ||
        !is_finite_verb(tree, i) || i < 4 || !(is_noun_tag(tree, i - 1) || tree.is_tag(i - 1, {"CD", "RB", "RP"})) ||
        tree.is_lower(i - 1, {"not", "there", "here"}))
        return;
    const size_t verb = tree.is_dep(i, {"aux", "auxpass"}) ? tree[i].head : i;
    if (tree.has_child(verb, {"expl", "csubj"})) return;
    if (const auto subject = tree.child(verb, {"nsubj", "nsubjpass"});
        subject && *subject > 0 && !tree.has_child(*subject, {"acl"})) {
        // Its subject may be the first noun, with the first verb between them.
        if (tree.tag(*subject) == "PRP" || *subject + 1 >= i) return;
    }
    for (size_t k = i; k-- > 1;) {
        if (tree.is_tag(k, {",", ":", "CC", "WDT", "WP", "WRB", "TO", "MD", "``", "''", "PRP", "EX"}) ||
            tree.is_lower(k,
                          {"that", "because", "if", "than", "as", "while", "since", "before", "after", "until", "although"}))
            return;
        if (!is_finite_verb(tree, k)) continue;
        if (is_noun_tag(tree, k - 1) && begin_of_subject(tree, k - 1) < tree.size() &&
            (begin_of_subject(tree, k - 1) == 0 || tree[begin_of_subject(tree, k - 1)].sentence_start) &&
            !is_one_of(tree[k].lemma,
                       {"say", "think", "be", "mean", "know", "believe", "hope", "show", "find", "suggest", "claim"}))
            found.missing(k, "'" + tree[k].text + "' and '" + tree[i].text + "' are not joined", {"that", "who", "which"});
        return;
    }
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
        if (tree.is_tag(k, {"``", "''", ":", "-LRB-", "-RRB-"})) return;
        if (tree.is_dep(k, {"nsubj", "nsubjpass", "expl"}) && !tree.is_tag(k, {"WDT", "WP"})) has_subject = true;
        if (has_subject && is_finite_verb(tree, k)) has_verb = true;
        if (tree.is_tag(k, {"WRB"}) && k == begin) return;
        // ", and to be fair, it is": what stands between two commas.
        if (tree.lower(k) == "," && !has_verb) has_subject = false;
        if (tree.is_lower(
                k, {"if", "when",     "because",  "although", "though", "while", "since", "unless", "until",   "whereas",
                    "as", "whenever", "wherever", "whatever", "before", "after", "once",  "where",  "whether", "the"}) &&
            (!tree.is_lower(k, {"the"}) || tree.is_tag(k + 1, {"JJR", "RBR"})) &&
            !(tree.is_lower(k, {"since", "as", "before", "after", "once"}) && !tree.is_dep(k, {"mark", "advmod"})))
            return;
    }
    for (size_t k = comma + 1; k < end; ++k)
        if (tree.is_tag(k, {"``", "''", ":"})) return;
    // Lists of clauses end with "and" and one more; speech and what is thought ends with who says it.
    bool is_list = false;
    for (size_t k = comma + 1; k + 1 < end; ++k) {
        if (tree.lower(k) == "," && tree.is_lower(k + 1, {"and", "or", "but"})) return;
        if (k > verb && tree.is_lower(k, {"and", "or"})) is_list = true;
        if (is_list && tree.is_dep(k, {"nsubj", "nsubjpass"}) && tree.dep(tree[k].head) == "conj") return;
    }
    if (!has_subject || !has_verb || tree.is_dep(head, {"relcl", "acl", "advcl"}) ||
        is_one_of(tree[head].lemma,
                  {"say",     "think", "ask",   "believe", "tell", "know",  "suppose", "mean", "add",  "write", "argue",
                   "explain", "hear",  "claim", "report",  "warn", "guess", "hope",    "seem", "find", "call",  "remember"}))
        return;
    // The clause before must be the main one of its part: its verb and the one behind the comma depend on each other
    // directly.
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
            if (child < comma && tree.is_dep(child, {"ccomp", "parataxis"}) && has_finite_verb(tree, child))
                has_before = true;
        if (!has_before) return;
    }
    if (tree.dep(head) != "ROOT" && tree[head].head > comma) return;
    found.missing(comma + 1, "a comma alone does not join two sentences", {"and"});
}

}  // namespace

void mark_joined_clauses(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_no_subject(found, i);
        mark_no_relative(found, i);
        mark_comma_splice(found, i);
    }
}

}  // namespace craft
