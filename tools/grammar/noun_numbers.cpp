#include <optional>

#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

// "advices", "informations": forms that are hardly ever meant.
void mark_uncountable_plural(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const std::string& word = tree[i].lower;
    const auto right = right_for_wrong_plural(word);
    if (!right || tree.is_lower(i + 1, {"'", "\xE2\x80\x99"})) return;
    if (word == "peoples" &&
        (tree.is_lower(i - 1, {"the", "indigenous", "native", "different", "other"}) || tree.is_lower(i + 1, {"of"})))
        return;
    const bool is_noun = tree.is_tag(i, {"NNS", "NN", "NNPS", "JJ"}) ||
                         (tree.tag(i) == "VBZ" && !found.know.forms.verb_of(word));  // "it progresses"
    if (is_noun) found.substituted(i, "'" + *right + "' has no plural in -s", {*right});
}

bool has_irregular_number(std::string_view lemma) {
    const bool is_unit = lemma.find_first_of("aeiouy") == std::string_view::npos || lemma.ends_with("hertz");  // "40 mph"
    return is_unit || is_one_of(lemma, {"percent", "cent",  "o'clock", "am",    "pm",      "hundred", "thousand", "million",
                                        "billion", "dozen", "fish",    "sheep", "species", "series",  "means",    "aircraft",
                                        "people",  "staff", "kind",    "sort",  "type",    "deer",    "couple",   "lot",
                                        "foot",    "pence", "head",    "pair",  "score",   "euro",    "yen",      "rand",
                                        "yuan",    "time",  "day",     "year",  "other",   "one",     "offspring"}) ||
           lemma.size() < 3;
}

bool is_plain_singular(const ParsedSentence& tree, size_t i) {
    return tree.tag(i) == "NN" && tree[i].text == tree[i].lower && tree.dep(i) != "compound" &&
           !tree.is_tag(i + 1, {"NN", "NNS", "HYPH", "POS", "NNP", "CD"}) && !is_mass(tree[i].lemma);
}

// A number before a noun counts it; "five o'clock", "a 20-year term" and years do not.
bool is_count(const ParsedSentence& tree, size_t number, size_t noun) {
    const std::string& text = tree[number].text;
    const bool is_number = tree.dep(number) == "nummod" && tree.tag(number) == "CD" && text.size() < 9 &&
                           !tree.is_lower(number, {"one", "1", "zero", "half", "1.0"}) && tree.tag(number + 1) != "HYPH" &&
                           text.find_first_of("-./:,") == std::string::npos;
    const bool is_year = text.size() == 4 && (text.starts_with("1") || text.starts_with("20"));
    const bool is_near = number + 1 == noun || (number + 2 == noun && tree.tag(number + 1) == "JJ");
    return is_number && !is_year && is_near && !has_irregular_number(tree[noun].lemma);
}

// "these", "both" and their like before a noun, unless they belong to more than that.
bool is_plural_word(const ParsedSentence& tree, size_t word, size_t noun) {
    if (!tree.is_dep(word, {"det", "amod"})) return false;
    if (tree.is_lower(word, {"many"})) return !tree.is_tag(word + 1, {"DT"});
    if (tree.is_lower(word, {"few"})) return !tree.has_child(noun, {"conj"});
    if (tree.is_lower(word, {"both"})) return !tree.has_child(noun, {"conj"}) && !tree.is_lower(word + 1, {"the", "a"});
    return tree.is_lower(word, {"these", "those", "several", "various"});
}

// "these problem", "many book", "two spoon"
void mark_singular(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!is_plain_singular(tree, i)) return;
    std::optional<size_t> by;
    for (const size_t child : tree.children(i))
        if (child < i && (is_plural_word(tree, child, i) || is_count(tree, child, i))) by = child;
    if (by)
        found.substituted(i, "'" + tree[*by].text + "' is followed by a plural", {found.know.forms.plural(tree[i].lower)});
}

// "one of the best way", "both of my brother"
void mark_singular_of_many(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!is_plain_singular(tree, i) || tree.dep(i) != "pobj" || !tree.is_lower(tree[i].head, {"of"}) || tree[i].head == 0)
        return;
    const size_t before = tree[i].head - 1;
    const bool is_some = tree.is_lower(before, {"some", "most"}) && found.know.nouns.is_counted(tree[i].lemma) &&
                         tree.tag(i - 1) == "DT" && tree.dep(before) == "nsubj";
    const bool is_many = is_some || tree.is_lower(before, {"one", "both", "many", "several", "two", "three", "few"});
    if (!is_many || !tree.has_child(i, {"det", "poss"}) || tree.has_child(i, {"conj"})) return;
    // "many of the family"
    if (has_irregular_number(tree[i].lemma) || is_collective(tree[i].lemma) || tree.is_lemma(i, {"world", "country"}))
        return;
    found.substituted(i, "'" + tree[before].text + " of' is followed by a plural", {found.know.forms.plural(tree[i].lower)});
}

// "this problems", "a books", "each students"
void mark_plural(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.tag(i) != "NNS" || tree[i].lemma == tree[i].lower || tree.dep(i) == "compound") return;
    const auto det = tree.child(i, {"det"});
    if (!det || *det + 3 < i || !tree.is_lower(*det, {"this", "a", "an", "each", "every", "another"})) return;
    for (size_t between = *det + 1; between < i; ++between)
        if (tree.is_tag(between, {"CD", "NN", "HYPH"}) ||
            tree.is_lower(between, {"few", "many", "great", "hundred", "dozen", "couple", "good", "further", "mere", "total",
                                    "record"}))
            return;
    if (has_irregular_number(tree[i].lemma) || tree.is_tag(i + 1, {"POS", "NN", "HYPH"}) || tree.has_child(i, {"nummod"}))
        return;
    const bool is_this = tree.is_lower(*det, {"this"});
    if (is_this && *det + 1 == i) return found.substituted(i, "'this' is followed by a singular", {tree[i].lemma});
    found.substituted(i, "'" + tree[*det].text + "' is followed by a singular", {tree[i].lemma});
}

void mark_much(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const size_t noun = i + 1;
    if (tree.is_lower(i, {"much"}) && tree.tag(noun) == "NNS" && tree[noun].lemma != tree[noun].lower &&
        tree[i].head == noun)
        found.substituted(i, "what can be counted is 'many'", {"many"});
    if (tree.is_lower(i, {"many"}) && tree.tag(noun) == "NN" && is_mass(tree[noun].lemma))
        found.substituted(i, "what cannot be counted is 'much'", {"much"});
    if (tree.is_lower(i, {"this"}) && tree.is_lower(noun, {"are", "were"}) && (i == 0 || tree[i].sentence_start))
        found.substituted(i, "'this' is one thing", {"these"});
}

}  // namespace

void mark_noun_numbers(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_uncountable_plural(found, i);
        mark_singular(found, i);
        mark_singular_of_many(found, i);
        mark_plural(found, i);
        mark_much(found, i);
    }
}

}  // namespace craft
