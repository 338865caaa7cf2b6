#include "text/utf8.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

// "an advice"
void mark_article_before_uncountable(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    // "a knowledge of Latin"
    if (!is_uncountable(tree[i].lower) || tree.is_lower(i, {"knowledge"})) return;
    if (tree.tag(i + 1) == "NN" || tree.tag(i + 1) == "NNS" || tree.tag(i + 1) == "HYPH" || tree.dep(i) == "compound")
        return;
    if (const auto det = tree.child(i, {"det"}); det && tree.is_lower(*det, {"a", "an"}))
        found.redundant(*det, "'" + tree[i].text + "' cannot be counted");
}

// "a several tables", "a these books", "an many"
void mark_article_before_quantity(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.is_lower(i, {"a", "an"}) && tree.tag(i) == "DT" &&
        tree.is_lower(i + 1, {"several", "some", "these", "those", "both", "any", "all", "enough"}) &&
        tree.is_tag(i + 1, {"JJ", "DT", "PDT"}))
        found.redundant(i, "'" + tree[i].text + "' and '" + tree[i + 1].text + "' do not stand together");
}

// Between the article and its plural others stand: "a smaller boats". Either of them may be what is wrong, so both are
// marked.
void mark_article_before_plural(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"a", "an"}) || tree.tag(i) != "DT") return;
    const size_t noun = tree[i].head;
    if (noun <= i || noun > i + 3 || tree.tag(noun) != "NNS" || tree[noun].lemma == tree[noun].lower) return;
    if (noun == i + 1 || tree.is_tag(noun + 1, {"POS", "NN", "HYPH"}) || !found.know.nouns.is_counted(tree[noun].lemma))
        return;
    for (size_t k = i + 1; k < noun; ++k)
        if (!tree.is_tag(k, {"JJ", "JJR", "NN", "VBG", "VBN"}) ||
            tree.is_lower(k, {"few", "many", "great", "hundred", "dozen", "couple", "good", "further", "mere", "total",
                              "record", "thousand", "million", "little", "full", "lot", "number"}))
            return;
    std::string one;
    for (size_t k = i; k < noun; ++k) one += tree[k].lower + " ";
    found.substituted(i, "'" + tree[i].text + "' is followed by a singular", {one + tree[noun].lemma}, noun - i + 1);
}

bool ends_a_phrase(const ParsedSentence& tree, size_t i) {
    return !tree.is_tag(i, {"NN", "NNS", "NNP", "NNPS", "CD", "POS", "HYPH", "JJ", "VBG", "VBN"}) &&
           !tree.is_lower(i, {"of", "that", "when", "who", "which", "'s", "\xE2\x80\x99s", "-"});
}

// "in the May", "since the 2004", "from the Norway", "the Michael said": names of months, years, countries and persons.
void mark_article_before_name(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const size_t name = i + 1;
    if (!tree.is_lower(i, {"the"}) || name >= tree.size() || !ends_a_phrase(tree, name + 1)) return;
    const bool is_after_time = i > 0 && tree.is_lower(i - 1, {"in", "since", "until", "till", "by", "from", "during",
                                                              "before", "after", "to", "of"});
    if (is_after_time && tree.tag(name) == "NNP" && is_month(tree.lower(name)))
        return found.redundant(i, "a month has no article");
    const std::string& text = tree[name].text;
    const bool is_year = text.size() == 4 && text.find_first_not_of("0123456789") == std::string::npos &&
                         (text.starts_with("1") || text.starts_with("20"));
    if (is_after_time && is_year) return found.redundant(i, "a year has no article");
    const EnglishToken& token = tree[name];
    if (token.tag != "NNP" || token.entity_place != 'B' || token.lower.size() < 3) return;
    // Islands, unions and what is named after a river or a thing have one, and so have plurals.
    static constexpr std::string_view kWithArticle[] = {
        "hague",     "vatican", "bronx",    "crimea", "congo", "sudan", "gambia", "lebanon", "ukraine", "yemen",
        "argentine", "sahara",  "ruhr",     "us",     "uk",    "usa",   "eu",     "un",      "ussr",    "gdr",
        "uae",       "kremlin", "caucasus", "balkan", "saar",  "isle",  "mall",   "strand"};
    if (token.text != uppercase_first(token.lower) || token.lower.ends_with("s") || is_one_of(token.lower, kWithArticle))
        return;
    if (token.entity == "GPE" && i > 0 && tree.is_lower(i - 1, {"in", "from", "to", "of"}))
        return found.redundant(i, "the name of a country or a town has no article");
    if (token.entity == "PERSON" && token.dep == "nsubj" && is_finite_verb(tree, name + 1))
        found.redundant(i, "the name of a person has no article");
}

}  // namespace

void mark_redundant_articles(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_article_before_uncountable(found, i);
        mark_article_before_quantity(found, i);
        mark_article_before_plural(found, i);
        mark_article_before_name(found, i);
    }
}

}  // namespace craft
