#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/grammar/clause_parts.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool has_finite_verb(const ParsedSentence& tree, size_t head) {
    if (is_finite_verb(tree, head)) return true;
    for (const size_t child : tree.children(head))
        if (tree.is_dep(child, {"aux", "auxpass", "cop"}) && is_finite_verb(tree, child)) return true;
    return false;
}

// "because is late", "until comes": words that join a clause. "When" and "while" also stand before participles ("when
// asked") and in questions ("when will it"), so that fewer verbs after them tell.
bool joins_verb(const ParsedSentence& tree, size_t i) {
    const size_t verb = i + 1;
    if (tree.is_lower(i, {"because", "although", "though", "if", "until", "unless", "whereas"}) && tree.tag(i) == "IN")
        return !tree.is_lower(verb, {"had", "were", "should"});
    if (!tree.is_lower(i, {"when", "while"}) || !tree.is_tag(verb, {"VBZ", "VBD", "MD"})) return false;
    const bool is_participle = tree.tag(verb) == "VBD" && i > 0 && tree.lower(verb).ends_with("ed") &&
                               !tree.is_tag(verb + 1, {"DT", "PRP", "PRP$", "IN"});
    return !is_participle && !tree.is_lower(verb, {"do", "did", "does", "is", "are", "was", "were", "can", "will", "should",
                                                   "would", "has", "have", "had", "could", "may", "might"});
}

// "He says that doesn't matter"
bool says_that(const ParsedSentence& tree, size_t i) {
    if (i == 0 || !tree.is_lower(i, {"that"}) || !tree.is_tag(i, {"IN", "WDT"}) || !tree[i - 1].tag.starts_with("V"))
        return false;
    if (tree.is_lower(i - 1, {"'s"}) || (tree.is_lower(i + 1, {"is", "was"}) && tree.tag(i) != "IN")) return false;
    return is_one_of(tree[i - 1].lemma, {"say",     "think", "believe", "know",   "be",     "mean",     "hope", "feel",
                                         "show",    "find",  "claim",   "report", "argue",  "discover", "add",  "warn",
                                         "suggest", "reply", "swear",   "admit",  "decide", "explain"});
}

// "He says that doesn't matter", "when waved", "because is late": joined, but by no subject.
void mark_no_subject(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const size_t verb = i + 1;
    if (!is_finite_verb(tree, verb)) return;
    const bool is_joined = joins_verb(tree, i);
    if (!is_joined && !says_that(tree, i)) return;
    if (tree.has_child(verb, {"expl"}) || tree.is_lower(verb + 1, {"i", "he", "she", "we", "they", "it", "you", "there"}))
        return;
    // "if asked", "unless stated otherwise"
    if (is_joined && tree.tag(verb) == "VBD" && tree.lower(verb).ends_with("ed") &&
        tree.is_lower(i, {"if", "until", "unless", "although", "though", "while"}))
        return;
    found.missing(verb, "the clause behind '" + tree[i].text + "' has no subject", {"it", "they", "he"});
}

// "The man lives here is my uncle": a second verb that nothing joins and that has no subject of its own.
void mark_no_relative(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
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

// A comma within a sentence: the tokens of the sentence, and the subject and verb that continue after it.
struct CommaClauses {
    size_t begin, comma, subject, verb, end;
    size_t head(const ParsedSentence& tree) const { return tree[subject].head; }
};

// None where no subject with a finite verb comes after the comma, or the sentence asks.
std::optional<CommaClauses> clauses_at_comma(const ParsedSentence& tree, size_t comma) {
    if (tree.lower(comma) != "," || comma < 3) return std::nullopt;
    const SentenceEnds ends = sentence_around(tree, comma);
    CommaClauses at{ends.begin, comma, comma + 1, 0, ends.end};
    if (tree.is_lower(at.end, {"?"})) return std::nullopt;
    if (!is_pronoun_subject(tree, at.subject) && !tree.is_lower(at.subject, {"there"})) {
        if (!is_in_noun_phrase(tree, at.subject)) return std::nullopt;
        while (is_in_noun_phrase(tree, at.subject) && at.subject < comma + 6 && !is_noun_tag(tree, at.subject)) ++at.subject;
        while (is_noun_tag(tree, at.subject + 1)) ++at.subject;
    }
    at.verb = tree.after_adverbs(at.subject + 1);
    if (!is_finite_verb(tree, at.verb) || !tree.is_dep(at.subject, {"nsubj", "nsubjpass", "expl"})) return std::nullopt;
    return at;
}

// "if", "because", "the more": what comes after it is no sentence of its own.
bool joins_clause(const ParsedSentence& tree, size_t k) {
    if (tree.is_lower(k, {"the"})) return tree.is_tag(k + 1, {"JJR", "RBR"});
    if (tree.is_lower(k, {"since", "as", "before", "after", "once"})) return tree.is_dep(k, {"mark", "advmod"});
    return tree.is_lower(k, {"if", "when", "because", "although", "though", "while", "unless", "until", "whereas",
                             "whenever", "wherever", "whatever", "where", "whether"});
}

// What comes before the comma is a clause of its own: a subject and a finite verb, and no word that joins it.
bool is_clause_before(const ParsedSentence& tree, const CommaClauses& at) {
    bool has_subject = false, has_verb = false;
    for (size_t k = at.begin; k < at.comma; ++k) {
        if (tree.is_tag(k, {"``", "''", ":", "-LRB-", "-RRB-"})) return false;
        if (tree.is_dep(k, {"nsubj", "nsubjpass", "expl"}) && !tree.is_tag(k, {"WDT", "WP"})) has_subject = true;
        if (has_subject && is_finite_verb(tree, k)) has_verb = true;
        if (tree.is_tag(k, {"WRB"}) && k == at.begin) return false;
        // ", and to be fair, it is": what is between two commas.
        if (tree.lower(k) == "," && !has_verb) has_subject = false;
        if (joins_clause(tree, k)) return false;
    }
    return has_subject && has_verb;
}

// Lists of clauses end with "and" and one more.
bool is_list_after(const ParsedSentence& tree, const CommaClauses& at) {
    bool is_joined = false;
    for (size_t k = at.comma + 1; k + 1 < at.end; ++k) {
        if (tree.lower(k) == "," && tree.is_lower(k + 1, {"and", "or", "but"})) return true;
        if (k > at.verb && tree.is_lower(k, {"and", "or"})) is_joined = true;
        if (is_joined && tree.is_dep(k, {"nsubj", "nsubjpass"}) && tree.dep(tree[k].head) == "conj") return true;
    }
    return false;
}

bool is_quoted_after(const ParsedSentence& tree, const CommaClauses& at) {
    for (size_t k = at.comma + 1; k < at.end; ++k)
        if (tree.is_tag(k, {"``", "''", ":"})) return true;
    return false;
}

// "It rained, he said": speech and what is thought ends with who says it.
bool is_said_after(const ParsedSentence& tree, const CommaClauses& at) {
    return is_one_of(tree[at.head(tree)].lemma, {"say",   "think", "ask",   "believe", "tell", "know",    "suppose", "mean",
                                                 "add",   "write", "argue", "explain", "hear", "claim",   "report",  "warn",
                                                 "guess", "hope",  "seem",  "find",    "call", "remember"});
}

// The verbs before and after the comma depend on each other directly, as those of two main clauses do.
bool are_parallel(const ParsedSentence& tree, const CommaClauses& at) {
    const size_t head = at.head(tree);
    const std::vector<size_t>& children = tree.children(head);
    const auto has_child_before = [&](std::initializer_list<std::string_view> relations, bool finite) {
        return std::any_of(children.begin(), children.end(), [&](size_t child) {
            return child < at.comma && tree.is_dep(child, relations) && (!finite || has_finite_verb(tree, child));
        });
    };
    if (tree.dep(head) != "ROOT") return tree.is_dep(head, {"conj", "ccomp", "parataxis"}) && tree[head].head <= at.comma;
    if (tree[head].tag.starts_with("VB")) return has_child_before({"ccomp", "parataxis"}, true);
    return tree.has_child(head, {"ccomp", "parataxis"}) || has_child_before({"ccomp", "conj", "parataxis"}, false);
}

// "It was cheap, we bought it": two sentences with a comma between them.
void mark_comma_splice(RuleMarks& found, size_t comma) {
    const ParsedSentence& tree = found.tree;
    const auto at = clauses_at_comma(tree, comma);
    if (at && is_clause_before(tree, *at) && !is_quoted_after(tree, *at) && !is_list_after(tree, *at) &&
        !is_said_after(tree, *at) && are_parallel(tree, *at))
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
