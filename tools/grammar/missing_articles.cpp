#include "english/indefinite_article.h"
#include "text/utf8.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

// Nouns that stand without an article behind some prepositions: "at home", "by car".
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

// "I bought car", "she is nurse", "in big city"
void mark_bare_noun(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool is_name = tree[i].text != tree[i].lower && !(i == 0 || tree[i].sentence_start);
    if (tree.tag(i) != "NN" || is_name || !found.know.nouns.is_counted(lowercase(tree[i].lemma))) return;
    if (!tree.is_dep(i, {"dobj", "pobj", "attr", "nsubj", "nsubjpass"}) ||
        (tree.is_tag(i + 1, {"NN", "NNS", "HYPH", "POS", "CD", "NNP"}) &&
         !tree.is_lower(i + 1, {"yesterday", "today", "tomorrow", "tonight"})))
        return;
    // "mother and child", "page 3", "man's": whatever determines it, or stands for that.
    if (tree.has_child(i, {"det", "poss", "nummod", "cc", "conj", "predet", "quantmod", "neg"}) ||
        tree.is_lower(i + 1, {"by", "after", "and", "or", "'s"}))
        return;
    size_t first = i;
    for (const size_t child : tree.children(i))
        if (child < first && tree.is_dep(child, {"amod", "compound", "advmod", "nmod", "npadvmod", "punct"})) first = child;
    for (size_t k = first; k < i; ++k)
        if (tree.is_tag(k, {"NNP", "NNPS", "CD", "POS", "DT", "PRP$", "HYPH", "WDT", "WP$", ",", "``", "''", "-LRB-"}) ||
            tree.is_lower(k, {"own",    "such", "other",  "any",     "first", "last", "next",    "more",   "most",  "second",
                              "little", "much", "enough", "several", "many",  "same", "another", "public", "human", "full"}))
            return;
    if (first > 0 && tree.is_lower(first - 1, {"of"})) return;
    if (first == i ? is_idiom(tree, i)
                   : (first > 0 && tree.dep(i) == "pobj" && tree.is_lower(first - 1, {"as", "without", "by", "per"})))
        return;
    if (first > 0 && tree.is_tag(first - 1, {"DT", "PRP$", "POS", "CD", "WDT", "WP$", "WP", "NN", "NNP", "HYPH", "PDT"}))
        return;
    if (first > 0 && tree.is_lower(first - 1, {"what", "whose", "which", "-", "such", "how"})) return;
    const std::string a(indefinite_article(tree.written_from(first)));
    const bool is_place = tree.is_dep(i, {"pobj", "nsubj", "nsubjpass"});
    std::vector<std::string> suggestions = {a, "the"};
    if (is_place) std::swap(suggestions[0], suggestions[1]);
    // Headlines and commands begin so; a sentence does not.
    const bool starts = first == 0 || tree[first].sentence_start;
    if (starts && !(tree.is_dep(i, {"nsubj", "nsubjpass"}) && tree[i].head > i && tree.dep(tree[i].head) == "ROOT" &&
                    !tree.has_child(i, {"appos"}) && !tree.is_lower(i + 1, {","}) && tree.tag(first) != "VBG"))
        return;
    found.missing(first, "'" + tree[i].text + "' can be counted and needs an article", suggestions);
}

// "it was most beautiful place", "she has lot of friends"
void mark_set_articles(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.is_lower(i, {"lot", "pair", "couple"}) && tree.tag(i) == "NN" && tree.is_lower(i + 1, {"of"}) &&
        !tree.has_child(i, {"det", "amod", "nummod", "poss"}) && i > 0 &&
        !tree.is_tag(i - 1, {"DT", "JJ", "CD", "PRP$", "NN"}))
        return found.missing(i, "'" + tree[i].text + " of' needs an article", {"a"});
    // "a wonderful time", "the development of a country"
    if (tree.is_lower(i, {"wonderful", "great", "good", "nice", "lovely", "fantastic", "hard", "amazing"}) &&
        tree.is_lower(i + 1, {"time"}) && i > 0 && (tree.is_lower(i - 1, {"have", "had", "having", "has"})))
        return found.missing(i, "one time needs an article", {"a"});
    if (tree.tag(i) == "NN" &&
        is_one_of(tree.lower(i), {"development", "beginning", "end", "middle", "rest", "importance", "existence", "majority",
                                  "cost", "price", "amount", "quality", "size", "capital", "centre", "center", "edge"}) &&
        tree.is_lower(i + 1, {"of"}) && tree.is_tag(i + 2, {"DT", "PRP$", "NN", "NNS"}) && i > 0 &&
        tree.is_tag(i - 1, {"IN", "VB", "VBD", "VBZ", "VBP", "VBG"}) && !tree.is_lower(i - 1, {"of", "as", "per"}))
        return found.missing(i, "'" + tree[i].text + " of' needs an article", {"the"});
    const bool is_superlative =
        tree.tag(i) == "JJS" || (tree.is_lower(i, {"most"}) && tree.tag(i + 1) == "JJ" && tree[i].head == i + 1);
    const size_t noun = tree.tag(i) == "JJS" ? tree[i].head : tree[i + 1 < tree.size() ? i + 1 : i].head;
    if (!is_superlative || tree.is_lower(i, {"most", "least"}) != (tree.tag(i) != "JJS") || tree.tag(noun) != "NN" ||
        noun <= i)
        return;
    if (!tree.has_child(noun, {"det", "poss"}) && tree.is_dep(noun, {"attr", "dobj", "pobj"}) && i > 0 &&
        !tree.is_tag(i - 1, {"DT", "PRP$", "POS", "NN", "CD"}) && !tree.is_lower(i - 1, {"at", "s", "'s"}))
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
        mark_set_articles(found, i);
        mark_bare_noun(found, i);
        mark_same(found, i);
    }
}

}  // namespace craft
