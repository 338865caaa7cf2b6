#include <optional>

#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool starts_noun_phrase(const ParsedSentence& tree, size_t i) {
    return tree.is_tag(i, {"DT", "PRP$"}) && !tree.is_lower(i, {"each", "all", "both", "that", "this", "no", "another",
                                                                "every", "any", "some", "those", "these", "either"});
}

// A word that is nothing without the preposition after it: "in spite the rain", "according the law".
struct SetPhrase {
    std::string_view before, word, preposition;  // `before` may be any word where it is ""
    bool needs_determiner = false;               // after it: "in case people ask" is right
};
constexpr SetPhrase kSetPhrases[] = {
    {"in", "spite", "of"},          {"in", "front", "of", true},  {"in", "favour", "of", true}, {"in", "favor", "of", true},
    {"in", "need", "of", true},     {"in", "charge", "of", true}, {"in", "terms", "of"},        {"on", "behalf", "of"},
    {"by", "means", "of"},          {"in", "search", "of", true}, {"in", "case", "of", true},   {"on", "top", "of"},
    {"in", "addition", "to", true}, {"with", "regard", "to"},     {"in", "respect", "of"},      {"", "according", "to"},
    {"", "due", "to", true},        {"", "prior", "to", true},    {"", "owing", "to"}};

bool lacks_preposition(const ParsedSentence& tree, size_t i, const SetPhrase& phrase) {
    if (tree.lower(i) != phrase.word || (!phrase.before.empty() && tree.lower(i - 1) != phrase.before)) return false;
    if (phrase.needs_determiner && !starts_noun_phrase(tree, i + 1)) return false;
    // "in case the bus comes", "in addition the bus was late": a clause follows.
    if (tree.is_lower(i, {"case", "addition"}) && is_finite_verb(tree, tree[i + 1].head)) return false;
    return !tree.is_lower(i, {"due"}) || !tree.is_lemma(i - 1, {"be"});
}

void mark_set_phrase(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_tag(i + 1, {"DT", "PRP$", "NN", "NNS", "NNP", "JJ", "CD"}) || (i == 0 && !tree.is_lower(i, {"according"})))
        return;
    for (const SetPhrase& one : kSetPhrases)
        if (lacks_preposition(tree, i, one)) {
            const std::string preposition(one.preposition);
            return found.missing(i + 1, "'" + tree[i].text + "' goes with '" + preposition + "'", {preposition});
        }
}

// "made use a saucepan", "a number tiles", "a kind insurance"
std::optional<std::string> reason_for_of(const ParsedSentence& tree, size_t i) {
    if (tree.tag(i) != "NN") return std::nullopt;
    if (tree.is_lower(i, {"use"}) && tree.is_lemma(i - 1, {"make"}) && starts_noun_phrase(tree, i + 1))
        return "'make use' goes with 'of'";
    const bool is_plural = tree.tag(i + 1) == "NNS" || (tree.tag(i + 1) == "JJ" && tree.tag(i + 2) == "NNS");
    if (is_plural && tree.is_tag(i - 1, {"DT", "JJ"}) && !tree.is_lower(i + 1, {"plates"}) &&
        tree.is_lower(i, {"number", "majority", "couple", "lot", "variety", "series", "range", "pair", "group", "handful"}))
        return "'" + tree[i].text + "' goes with 'of' before a plural";
    if (tree.is_lower(i, {"kind", "sort", "type", "lack", "piece"}) && tree.is_tag(i + 1, {"NN"}) &&
        tree.is_lower(i - 1, {"a", "another", "this", "that", "some"}))
        return "'" + tree[i].text + "' goes with 'of' before a noun";
    return std::nullopt;
}

void mark_amount(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i == 0 || !tree.is_tag(i + 1, {"DT", "PRP$", "NN", "NNS", "NNP", "JJ", "CD"})) return;
    if (const auto why = reason_for_of(tree, i)) return found.missing(i + 1, *why, {"of"});
    // "63 percent the cases", "one these"
    const bool is_part =
        tree.is_lower(i, {"percent", "most", "one", "some", "none", "two", "three", "four", "many", "several"}) &&
        tree.is_lower(i + 1, {"the", "them", "us", "these", "those"}) && !tree.is_lower(i - 1, {"the", "at", "was", "is"});
    const bool is_adverb = tree.is_lower(i + 1, {"the"}) && tree.tag(i) == "RBS";
    if (is_part && !is_adverb && tree.tag(i - 1) != "TO" && !tree.tag(i - 1).starts_with("VB"))
        found.missing(i + 1, "'" + tree[i].text + "' goes with 'of' here", {"of"});
}

// "the price the house": a noun phrase right after another one. An object after who gets it, a time and a clause without
// "that" stand so, too; their heads say so.
void mark_noun_after_noun(RuleMarks& found, size_t i) {
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
    const bool is_name = tree.tag(i) == "NNP" && is_month(tree.lower(i)) && !tree.is_lower(i, {"march", "may"}) &&
                         !tree.is_tag(i + 1, {"CD", "NNP", "NN", "NNS", "POS"});
    const std::string& text = tree[i].text;
    const bool is_year = tree.tag(i) == "CD" && text.size() == 4 && (text.starts_with("1") || text.starts_with("20")) &&
                         text.find_first_not_of("0123456789") == std::string::npos &&
                         !tree.is_tag(i + 1, {"NN", "NNS", "NNP", "CD", "JJ", "HYPH"});
    if (i == 0 || (!is_name && !is_year) || !tree.is_tag(i + 1, {".", ",", "CC", "PRP"})) return;
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
        mark_amount(found, i);
        mark_noun_after_noun(found, i);
        mark_bare_date(found, i);
    }
}

}  // namespace craft
