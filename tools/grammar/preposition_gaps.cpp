#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool starts_noun_phrase(const ParsedSentence& tree, size_t i) {
    return tree.is_tag(i, {"DT", "PRP$"}) && !tree.is_lower(i, {"each", "all", "both", "that", "this", "no", "another",
                                                                "every", "any", "some", "those", "these", "either"});
}

// Words that are nothing without the preposition behind them: "in spite the rain", "according the law".
void mark_set_phrase(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool is_object = tree.is_tag(i + 1, {"DT", "PRP$", "NN", "NNS", "NNP", "JJ", "CD"});
    if (i == 0 || !is_object) {
        if (!(i == 0 && is_object && tree.is_lower(i, {"according"}))) return;
    }
    struct Phrase {
        const char *before, *word, *preposition;
    };
    static constexpr Phrase kPhrases[] = {
        {"in", "spite", "of"},    {"in", "front", "of"},   {"in", "favour", "of"}, {"in", "favor", "of"},
        {"in", "need", "of"},     {"in", "charge", "of"},  {"in", "terms", "of"},  {"on", "behalf", "of"},
        {"by", "means", "of"},    {"in", "search", "of"},  {"in", "case", "of"},   {"on", "top", "of"},
        {"instead", "", "of"},    {"", "according", "to"}, {"", "due", "to"},      {"in", "addition", "to"},
        {"with", "regard", "to"}, {"in", "respect", "of"}, {"", "prior", "to"},    {"", "owing", "to"}};
    for (const Phrase& one : kPhrases) {
        if (*one.word == 0 || tree.lower(i) != one.word || (*one.before != 0 && tree.lower(i - 1) != one.before)) continue;
        if (tree.is_lower(i, {"due", "prior"}) && !starts_noun_phrase(tree, i + 1)) continue;
        if (tree.is_lower(i, {"case", "addition", "front", "search", "need", "favour", "favor", "charge"}) &&
            !starts_noun_phrase(tree, i + 1))
            continue;
        if (tree.is_lower(i, {"case", "addition"}) && tree.is_lower(i - 1, {"in"}) && is_finite_verb(tree, tree[i + 1].head))
            continue;
        if (tree.is_lower(i, {"due"}) && tree[i - 1].lemma == "be") continue;
        return found.missing(i + 1, "'" + tree[i].text + "' goes with '" + one.preposition + "'", {one.preposition});
    }
    // "made use a saucepan", "a number tiles", "a kind insurance", "the majority adults", "63 percent cases", "one them"
    if (tree.is_lower(i, {"use"}) && tree.tag(i) == "NN" && tree[i - 1].lemma == "make" && starts_noun_phrase(tree, i + 1))
        return found.missing(i + 1, "'make use' goes with 'of'", {"of"});
    const bool is_plural = tree.tag(i + 1) == "NNS" || (tree.tag(i + 1) == "JJ" && tree.tag(i + 2) == "NNS");
    if (tree.tag(i) == "NN" &&
        tree.is_lower(i,
                      {"number", "majority", "couple", "lot", "variety", "series", "range", "pair", "group", "handful"}) &&
        tree.is_tag(i - 1, {"DT", "JJ"}) && is_plural && !tree.is_lower(i + 1, {"plates"}))
        return found.missing(i + 1, "'" + tree[i].text + "' goes with 'of' before a plural", {"of"});
    if (tree.is_lower(i, {"kind", "sort", "type", "lack", "piece"}) && tree.tag(i) == "NN" &&
        tree.is_lower(i - 1, {"a", "another", "this", "that", "some"}) && tree.is_tag(i + 1, {"NN"}))
        return found.missing(i + 1, "'" + tree[i].text + "' goes with 'of' before a noun", {"of"});
    if (tree.is_lower(
            i, {"percent", "most", "half", "one", "some", "none", "two", "three", "four", "both", "many", "several"}) &&
        tree.is_lower(i + 1, {"the", "them", "us", "these", "those"}) && !(tree.is_lower(i, {"half", "both"})) &&
        !tree.is_lower(i - 1, {"the", "at", "was", "is"}) && !(tree.is_lower(i + 1, {"the"}) && tree.tag(i) == "RBS") &&
        tree.tag(i - 1) != "TO" && !tree[i - 1].tag.starts_with("VB"))
        found.missing(i + 1, "'" + tree[i].text + "' goes with 'of' here", {"of"});
}

// "the price the house": a noun phrase right behind another one. An object behind who gets it, a time and a clause without
// "that" stand so, too; their heads say so.
void mark_noun_behind_noun(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i < 1 || !starts_noun_phrase(tree, i) || !tree.is_tag(i - 1, {"NN", "NNS"}) || !tree[i - 1].space_after) return;
    const size_t noun = tree[i].head, first = i - 1;
    if (noun <= i || noun > i + 5 || !tree.is_tag(noun, {"NN", "NNS"}) || tree[first].entity == "DATE" ||
        tree[first].entity == "TIME")
        return;
    if (tree[noun].entity == "DATE" || tree[noun].entity == "TIME" ||
        is_one_of(tree[noun].lemma,
                  {"day",    "night",   "week",   "month", "year", "time",  "hour",  "minute", "morning", "way",
                   "moment", "evening", "second", "kilo",  "mile", "metre", "litre", "head",   "piece",   "person"}))
        return;
    const bool is_apposition = tree.dep(noun) == "appos" && tree[noun].head == first;
    const bool is_object = tree.is_dep(noun, {"dobj", "pobj"}) && tree[noun].head == first;
    // Two subjects of one verb.
    bool is_second_subject = false;
    if (tree.is_dep(noun, {"nsubj", "nsubjpass"}) && tree.is_dep(first, {"nsubj", "nsubjpass"}) &&
        tree[noun].head == tree[first].head)
        is_second_subject = true;
    if (is_apposition || is_object || is_second_subject)
        found.missing(i, "nothing joins '" + tree[first].text + "' and '" + tree[noun].text + "'", {"of", "and"});
}

// "It happened January", "he lost it 1807": a month or a year without a preposition.
void mark_bare_date(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    static constexpr std::string_view kMonths[] = {"january", "february",  "april",   "june",     "july",
                                                   "august",  "september", "october", "november", "december"};
    const bool is_month =
        tree.tag(i) == "NNP" && is_one_of(tree.lower(i), kMonths) && !tree.is_tag(i + 1, {"CD", "NNP", "NN", "NNS", "POS"});
    const std::string& text = tree[i].text;
    const bool is_year = tree.tag(i) == "CD" && text.size() == 4 && (text.starts_with("1") || text.starts_with("20")) &&
                         text.find_first_not_of("0123456789") == std::string::npos &&
                         !tree.is_tag(i + 1, {"NN", "NNS", "NNP", "CD", "JJ", "HYPH"});
    if (i == 0 || (!is_month && !is_year) || !tree.is_tag(i + 1, {".", ",", "CC", "PRP"})) return;
    if (tree.is_tag(i - 1, {"NN", "NNS", "VBD", "VBN", "VBZ", "RB", "PRP"}) &&
        tree.is_dep(i, {"npadvmod", "nummod", "dobj", "appos", "advmod"}) &&
        !tree.is_lower(i - 1, {"early", "late", "mid", "about", "around", "nearly", "almost", "year", "only", "now", "room",
                               "page", "number", "flight", "route", "was", "is", "of"}) &&
        !(is_year && tree.dep(i) != "npadvmod" && tree.dep(i) != "nummod"))
        found.missing(i, "when it was stands behind 'in'", {"in"});
}

}  // namespace

void mark_preposition_gaps(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_set_phrase(found, i);
        mark_noun_behind_noun(found, i);
        mark_bare_date(found, i);
    }
}

}  // namespace craft
