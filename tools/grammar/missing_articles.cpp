#include <optional>

#include "english/indefinite_article.h"
#include "text/utf8.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

// Nouns that stand without an article after some prepositions: "at home", "by car".
bool is_idiom(const ParsedSentence& tree, size_t noun) {
    const size_t before = noun - 1;
    if (noun == 0) return true;
    if (tree.is_lower(before, {"by", "per", "as", "via", "without", "no", "like", "type", "kind", "sort", "of", "than"}) ||
        (noun > 1 && tree.is_lower(before, {"to"}) && tree.lower(noun - 2) == tree.lower(noun)))
        return true;
    // "at school", "in front of", "on account of", "in question", "in case"
    static const WordLines& nouns = listed_words("idiom_nouns");
    if (tree.is_tag(before, {"IN", "TO"}) && nouns.contains(tree.lower(noun))) return true;
    if (tree.is_lower(before, {"in", "on", "at", "under", "by"}) && tree.is_lower(noun + 1, {"of", "with", "to"}))
        return true;
    // "moved house", "set foot", "took part", "gives rise to", "keep watch"
    static constexpr std::string_view kObjects[] = {"house", "foot",  "part",  "rise", "office", "shape", "account",
                                                    "root",  "watch", "vigil", "way",  "trial",  "heart", "note",
                                                    "turn",  "turns", "sail",  "hold", "place",  "stock", "voice"};
    if (tree[before].tag.starts_with("VB") && is_one_of(tree.lower(noun), kObjects)) return true;
    // "make room", "in order", "from door to door"
    if (tree.is_lower(noun, {"room", "order", "theatre", "theater", "use", "sense"})) return true;
    return tree.is_lower(noun + 1, {"to"}) && (tree.is_lower(before, {"from"}) || tree.lower(noun + 2) == tree.lower(noun));
}

// A counted noun in the singular that is no name and no part of a longer phrase.
bool may_need_article(const RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool is_name = tree[i].text != tree[i].lower && !(i == 0 || tree[i].sentence_start);
    if (tree.tag(i) != "NN" || is_name || !found.know.nouns.is_counted(lowercase(tree[i].lemma))) return false;
    const bool is_inner = tree.is_tag(i + 1, {"NN", "NNS", "HYPH", "POS", "CD", "NNP"}) &&
                          !tree.is_lower(i + 1, {"yesterday", "today", "tomorrow", "tonight"});
    return !is_inner && tree.is_dep(i, {"dobj", "pobj", "attr", "nsubj", "nsubjpass"});
}

// The first token of a noun and what belongs to it before it.
size_t begin_of_noun(const ParsedSentence& tree, size_t noun) {
    size_t first = noun;
    for (const size_t child : tree.children(noun))
        if (child < first && tree.is_dep(child, {"amod", "compound", "advmod", "nmod", "npadvmod", "punct"})) first = child;
    return first;
}

// Whether something determines the noun that begins at `first`, or stands for what does: "mother and child", "page 3", "his
// own".
bool is_determined(const ParsedSentence& tree, size_t first, size_t noun) {
    if (tree.has_child(noun, {"det", "poss", "nummod", "cc", "conj", "predet", "quantmod", "neg"}) ||
        tree.is_lower(noun + 1, {"by", "after", "and", "or", "'s"}))
        return true;
    for (size_t k = first; k < noun; ++k)
        if (tree.is_tag(k, {"NNP", "NNPS", "CD", "POS", "DT", "PRP$", "HYPH", "WDT", "WP$", ",", "``", "''", "-LRB-"}) ||
            tree.is_lower(k, {"own",    "such", "other",  "any",     "first", "last", "next",    "more",   "most",  "second",
                              "little", "much", "enough", "several", "many",  "same", "another", "public", "human", "full"}))
            return true;
    return tree.is_tag(first - 1, {"DT", "PRP$", "POS", "CD", "WDT", "WP$", "WP", "NN", "NNP", "HYPH", "PDT"}) ||
           tree.is_lower(first - 1, {"of", "what", "whose", "which", "-", "such", "how"});
}

// Headlines and commands begin with a bare noun; a sentence does so only with its subject.
bool may_begin_bare(const ParsedSentence& tree, size_t first, size_t noun) {
    if (first > 0 && !tree[first].sentence_start) return false;
    return !tree.is_dep(noun, {"nsubj", "nsubjpass"}) || tree[noun].head < noun || tree.dep(tree[noun].head) != "ROOT" ||
           tree.has_child(noun, {"appos"}) || tree.is_lower(noun + 1, {","}) || tree.tag(first) == "VBG";
}

// "I bought car", "she is nurse", "in big city"
void mark_bare_noun(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!may_need_article(found, i)) return;
    const size_t first = begin_of_noun(tree, i);
    if (is_determined(tree, first, i) || may_begin_bare(tree, first, i)) return;
    // "as big city", "without good reason"
    const bool is_bare_phrase = tree.dep(i) == "pobj" && tree.is_lower(first - 1, {"as", "without", "by", "per"});
    if (first == i ? is_idiom(tree, i) : is_bare_phrase) return;
    std::vector<std::string> suggestions = {std::string(indefinite_article(tree.written_from(first))), "the"};
    if (tree.is_dep(i, {"pobj", "nsubj", "nsubjpass"})) std::swap(suggestions[0], suggestions[1]);
    found.missing(first, "'" + tree[i].text + "' can be counted and needs an article", suggestions);
}

// "she has lot of friends", "have wonderful time"
void mark_missing_a(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i == 0) return;
    if (tree.is_lower(i, {"lot", "pair", "couple"}) && tree.tag(i) == "NN" && tree.is_lower(i + 1, {"of"}) &&
        !tree.has_child(i, {"det", "amod", "nummod", "poss"}) && !tree.is_tag(i - 1, {"DT", "JJ", "CD", "PRP$", "NN"}))
        found.missing(i, "'" + tree[i].text + " of' needs an article", {"a"});
    if (tree.is_lower(i, {"wonderful", "great", "good", "nice", "lovely", "fantastic", "hard", "amazing"}) &&
        tree.is_lower(i + 1, {"time"}) && tree.is_lower(i - 1, {"have", "had", "having", "has"}))
        found.missing(i, "one time needs an article", {"a"});
}

// "the development of a country"
void mark_missing_the(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i > 0 && tree.tag(i) == "NN" &&
        tree.is_lower(i, {"development", "beginning", "end", "middle", "rest", "importance", "existence", "majority", "cost",
                          "price", "amount", "quality", "size", "capital", "centre", "center", "edge"}) &&
        tree.is_lower(i + 1, {"of"}) && tree.is_tag(i + 2, {"DT", "PRP$", "NN", "NNS"}) &&
        tree.is_tag(i - 1, {"IN", "VB", "VBD", "VBZ", "VBP", "VBG"}) && !tree.is_lower(i - 1, {"of", "as", "per"}))
        found.missing(i, "'" + tree[i].text + " of' needs an article", {"the"});
}

// The noun of a superlative, "best" or "most beautiful"; none where the word begins none.
std::optional<size_t> noun_of_superlative(const ParsedSentence& tree, size_t i) {
    if (tree.tag(i) == "JJS" && !tree.is_lower(i, {"most", "least"})) return tree[i].head;
    if (tree.is_lower(i, {"most"}) && tree.tag(i) != "JJS" && tree.tag(i + 1) == "JJ" && tree[i].head == i + 1)
        return tree[i + 1].head;
    return std::nullopt;
}

// "it was most beautiful place"
void mark_superlative(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const auto noun = noun_of_superlative(tree, i);
    if (i == 0 || !noun || tree.tag(*noun) != "NN" || *noun <= i || tree.has_child(*noun, {"det", "poss"})) return;
    if (tree.is_dep(*noun, {"attr", "dobj", "pobj"}) && !tree.is_tag(i - 1, {"DT", "PRP$", "POS", "NN", "CD"}) &&
        !tree.is_lower(i - 1, {"at", "s", "'s"}))
        found.missing(i, "a superlative before a noun needs 'the'", {"the"});
}

// "of same kind", "remains better choice": what can only be one.
void mark_same(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"same"}) || i == 0 || tree.tag(i) != "JJ") return;
    if (!tree.is_tag(i - 1, {"DT", "PRP$", "PDT", "CD", "HYPH"}) &&
        !tree.is_lower(i - 1, {"very", "much", "exact", "all", "many", "not", "just", "this", "that", "-"}))
        found.missing(i, "'same' needs 'the'", {"the"});
}

}  // namespace

void mark_missing_articles(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_missing_a(found, i);
        mark_missing_the(found, i);
        mark_superlative(found, i);
        mark_bare_noun(found, i);
        mark_same(found, i);
    }
}

}  // namespace craft
