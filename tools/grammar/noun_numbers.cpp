#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

// "advices", "informations": forms that are hardly ever meant.
void mark_uncountable_plural(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const std::string& word = tree[i].lower;
    const auto right = right_for_wrong_plural(word);
    if (!right || tree.is_lower(i + 1, {"'", "\xE2\x80\x99"})) return;
    if (word == "peoples" && (tree.is_lower(i - 1, {"the", "indigenous", "native", "different", "other"}) ||
                              tree.is_lower(i + 1, {"of"})))
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

// "these problem", "many book", "two spoon", "one of the best way"
void mark_singular(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool is_plain = tree.tag(i) == "NN" && tree[i].text == tree[i].lower &&
                          !tree.is_tag(i + 1, {"NN", "NNS", "HYPH", "POS", "NNP", "CD"}) && tree.dep(i) != "compound";
    if (!is_plain || is_mass(tree[i].lemma)) return;
    std::optional<size_t> by;
    for (const size_t child : tree.children(i)) {
        if (child > i) continue;
        if (tree.is_dep(child, {"det", "amod"}) &&
            tree.is_lower(child, {"these", "those", "many", "several", "few", "various", "both"}))
            by = child;
        // A number before a noun counts it; "five o'clock" and "a 20-year term" do not.
        const bool is_number = tree.dep(child) == "nummod" && tree.tag(child) == "CD" &&
                               !tree.is_lower(child, {"one", "1", "zero", "half", "1.0"}) && tree.tag(child + 1) != "HYPH" &&
                               tree[child].text.find_first_of("-./:,") == std::string::npos && tree[child].text.size() < 9;
        if (is_number && !has_irregular_number(tree[i].lemma) &&
            (child + 1 == i || (child + 2 == i && tree.tag(child + 1) == "JJ")))
            by = child;
    }
    const bool is_year = by && tree.tag(*by) == "CD" && tree[*by].text.size() == 4 &&
                         (tree[*by].text.starts_with("1") || tree[*by].text.starts_with("20"));
    if (by && !is_year && !(tree.is_lower(*by, {"many"}) && tree.is_tag(*by + 1, {"DT"})) &&
        !(tree.is_lower(*by, {"few"}) && tree.has_child(i, {"conj"}))) {
        if (tree.is_lower(*by, {"both"}) && (tree.has_child(i, {"conj"}) || tree.is_lower(*by + 1, {"the", "a"}))) return;
        return found.substituted(i, "'" + tree[*by].text + "' is followed by a plural",
                                 {found.know.forms.plural(tree[i].lower)});
    }
    // one of the ..., both of my ...
    if (tree.dep(i) != "pobj" || !tree.is_lower(tree[i].head, {"of"}) || has_irregular_number(tree[i].lemma)) return;
    const size_t of = tree[i].head;
    const bool is_some = of > 0 && tree.is_lower(of - 1, {"some", "most"}) && found.know.nouns.is_counted(tree[i].lemma) &&
                         tree.tag(i - 1) == "DT" && tree.dep(of - 1) == "nsubj";
    if (of == 0 || (!is_some && !tree.is_lower(of - 1, {"one", "both", "many", "several", "two", "three", "few"})) ||
        !tree.has_child(i, {"det", "poss"}) || tree.has_child(i, {"conj"}))
        return;
    if (is_one_of(tree[i].lemma,
                  {"family", "team", "group", "class", "crowd", "crew", "staff", "world", "country", "public"}))
        return;
    found.substituted(i, "'" + tree[of - 1].text + " of' is followed by a plural", {found.know.forms.plural(tree[i].lower)});
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
        mark_plural(found, i);
        mark_much(found, i);
    }
}

}  // namespace craft
