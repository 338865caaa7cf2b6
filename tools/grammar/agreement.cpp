#include <optional>

#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

enum class Number { unknown, first_person, singular, plural };

// "the team are", "the rest is", "all of them"
bool may_be_either(std::string_view lemma) {
    return has_either_number(lemma) || is_one_of(lemma, {"other", "all", "most", "some", "any", "more", "few", "none"});
}

// Of what the subject of a verb says by itself.
Number number_of(const DependencyTree& tree, size_t subject);

// "he and she"; with "or" it goes by the nearer one, which is left open.
std::optional<Number> number_of_joined(const DependencyTree& tree, size_t subject) {
    const auto joined = tree.child(subject, {"conj"});
    if (!joined) return std::nullopt;
    const auto by = tree.child(subject, {"cc"});
    if (!by || !tree.is_lower(*by, {"and"})) return Number::unknown;
    if (const auto each = tree.child(subject, {"det"}); each && tree.is_lower(*each, {"each", "every", "no"}))
        return Number::unknown;
    // "bread and butter" may be one thing.
    const bool is_two = tree.has_child(subject, {"det", "poss"}) && tree.has_child(*joined, {"det", "poss"});
    return is_two || tree.is_tag(subject, {"PRP", "NNS"}) || tree.is_tag(*joined, {"PRP", "NNS"}) ? Number::plural
                                                                                                  : Number::unknown;
}

Number number_of(const DependencyTree& tree, size_t subject) {
    if (const auto joined = number_of_joined(tree, subject)) return *joined;
    if (tree.is_lower(subject, {"i"})) return Number::first_person;
    if (tree.is_lower(subject, {"we", "they", "you"})) return Number::plural;
    if (tree.is_lower(subject, {"he", "she", "it", "everyone", "everybody", "someone", "somebody", "anyone", "anybody",
                                "nobody", "everything", "something", "anything", "nothing", "news"}))
        return Number::singular;
    if (tree.is_lower(subject, {"these", "those", "both"})) return Number::plural;
    if (tree.is_lower(subject, {"this", "each", "either", "neither"}) && tree.tag(subject) == "DT")
        return tree.has_child(subject, {"prep"}) || tree.is_lower(subject, {"this"}) ? Number::singular : Number::unknown;
    // "Two years is a long time": amounts are left open, and so are fields of study.
    const bool is_amount =
        is_one_of(tree[subject].lemma, {"year", "month", "week", "day", "hour", "minute", "second", "mile", "metre", "meter",
                                        "dollar", "pound", "euro", "kilometre", "thank", "good", "sport"});
    if (is_amount && tree.tag(subject) == "NNS") return Number::unknown;
    if (tree.lower(subject).ends_with("ics")) return Number::unknown;
    if (right_for_wrong_plural(tree.lower(subject))) return Number::unknown;  // corrected, it may be a singular
    if (may_be_either(tree[subject].lemma) || tree.has_child(subject, {"nummod", "quantmod"})) {
        return tree.tag(subject) == "NNS" && tree.has_child(subject, {"nummod"}) && !may_be_either(tree[subject].lemma)
                   ? Number::plural
                   : Number::unknown;
    }
    if (tree.is_lower(subject, {"number"})) {
        const auto det = tree.child(subject, {"det"});
        return det && tree.is_lower(*det, {"the"}) ? Number::singular : Number::unknown;
    }
    if (tree.is_lower(subject, {"mine", "yours", "ours", "hers", "theirs"})) return Number::unknown;
    if (tree.tag(subject) == "NNS") {
        return Number::plural;
    }
    if (tree.tag(subject) == "NN") {
        if (tree.lower(subject) == "people") return Number::plural;
        if (tree[subject].text != tree[subject].lower && subject > 0 && !tree[subject].sentence_start)
            return Number::unknown;
        const auto each = tree.child(subject, {"det"});
        return each && tree.is_lower(*each, {"these", "those", "many", "all", "both"}) ? Number::unknown : Number::singular;
    }
    return Number::unknown;
}

// Of "who", "which" and "that": what stands right before them, a comma apart at most.
std::optional<size_t> antecedent(const DependencyTree& tree, size_t relative, size_t verb) {
    if (tree.dep(verb) != "relcl") return std::nullopt;
    const size_t head = tree[verb].head;
    const size_t before = relative > 0 && tree.lower(relative - 1) == "," ? 2 : 1;
    if (relative < before || head != relative - before) return std::nullopt;
    // "one of the men who are": either may be meant.
    for (size_t i = head; i-- > 0 && i + 6 > head;)
        if (tree.is_lower(i, {"of", "and", "or", "with"})) return std::nullopt;
    return head;
}

struct Predicate {
    size_t verb = 0;  // the finite one, which agrees
    bool is_singular = false;
    bool is_past = false;
};

// What of the verb shows its number: be in both tenses, others in the present alone.
std::optional<Predicate> predicate_of(const DependencyTree& tree, size_t head, const WordForms& forms) {
    size_t finite = head;
    for (const size_t child : tree.children(head))
        if (tree.is_dep(child, {"aux", "auxpass"})) {
            finite = child;
            break;
        }
    if (tree.is_lower(finite, {"was", "were"})) return Predicate{finite, tree.is_lower(finite, {"was"}), true};
    if (tree.is_lower(finite, {"is", "has", "does"})) return Predicate{finite, true, false};
    if (tree.is_lower(finite, {"are", "have", "do"}) && tree.is_tag(finite, {"VBP", "VB"}))
        return Predicate{finite, false, false};
    if (finite != head) return std::nullopt;
    const std::string& word = tree[head].lower;
    if (tree.tag(head) == "VBZ") return Predicate{head, true, false};
    if (tree.is_tag(head, {"VBP"})) return Predicate{head, false, false};
    // The tagger takes a verb without its -s for a bare one or for a noun.
    const bool is_bare =
        tree.is_tag(head, {"VB", "NN"}) && forms.is_verb(word) && tree.is_dep(head, {"ROOT", "relcl", "advcl"});
    if (is_bare && !(tree.tag(head) == "NN" && tree.has_child(head, {"det", "poss", "amod", "compound", "cop"})))
        return Predicate{head, false, false};
    return std::nullopt;
}

// "if he were", "I wish it were", "suggest that he go"
bool is_subjunctive(const DependencyTree& tree, size_t head, const Predicate& predicate) {
    const auto mark = tree.child(head, {"mark", "advmod"});
    const size_t above = tree[head].head;
    if (tree.is_lower(predicate.verb, {"were"}) &&
        ((mark && tree.is_lower(*mark, {"if", "as", "though", "unless", "whether"})) || tree[above].lemma == "wish"))
        return true;
    if (tree.is_lower(predicate.verb - 1, {"if", "wish"})) return true;
    return above != head && tree.is_tag(predicate.verb, {"VB", "VBP"}) &&
           is_one_of(tree[above].lemma, {"suggest", "recommend", "insist", "demand", "require", "propose", "request", "let",
                                         "make", "help", "see", "hear", "watch", "essential", "vital", "important", "have"});
}

void check(RuleMarks& found, size_t subject, size_t head, Number number, const std::string& named) {
    const DependencyTree& tree = found.tree;
    const auto predicate = predicate_of(tree, head, found.know.forms);
    if (!predicate || number == Number::unknown || is_subjunctive(tree, head, *predicate)) return;
    const bool is_wanted_singular = number == Number::singular;
    const size_t verb = predicate->verb;
    if (number == Number::first_person) {
        if (tree.is_lower(verb, {"was", "am"}) || !predicate->is_singular) {
            if (tree.is_lower(verb, {"are", "were"}))
                found.substituted(verb, "'" + tree[verb].text + "' does not agree with 'I'",
                                  {tree.is_lower(verb, {"are"}) ? "am" : "was"});
            return;
        }
    } else if (predicate->is_singular == is_wanted_singular) {
        return;
    }
    std::string lemma = predicate->is_past || tree.is_lower(verb, {"is", "are", "am"}) ? "be" : tree[verb].lemma;
    if (const auto known = found.know.forms.verb_of(tree[verb].lower); lemma != "be" && known) lemma = *known;
    // "swam" that is taken for a present form: it goes with any subject.
    const bool is_past_form =
        lemma != "be" && lemma != tree[verb].lower && found.know.forms.is_form(tree[verb].lower, lemma, "VBD");
    if (is_past_form) return;
    const bool is_first_be = number == Number::first_person && lemma == "be";
    const std::string form =
        is_first_be && !predicate->is_past ? "am" : found.know.forms.agreeing(lemma, is_wanted_singular, predicate->is_past);
    if (form != tree[verb].lower)
        found.substituted(verb, "'" + tree[verb].text + "' does not agree with '" + named + "'", {form});
    static_cast<void>(subject);
}

void check_subject(RuleMarks& found, size_t subject) {
    const DependencyTree& tree = found.tree;
    const size_t head = tree[subject].head;
    // What is taken for the subject of a bare verb may be another one's object ("let me know").
    if (tree.is_lower(subject, {"me", "him", "her", "us", "them"})) return;
    if (tree.is_tag(subject, {"WDT", "WP"})) {
        // "Who tell you that?"
        if (tree.is_lower(subject, {"who", "what"}) && tree.dep(head) == "ROOT" && subject + 1 == head &&
            tree.tag(head) == "VBP" && tree[head].lemma != "be")
            return check(found, subject, head, Number::singular, tree[subject].text);
        // ", which" may mean the whole clause before it.
        if (subject > 0 && tree.lower(subject - 1) == "," && tree.is_lower(subject, {"which"})) return;
        if (const auto of = antecedent(tree, subject, head); of && !tree.is_lower(subject, {"what"}))
            check(found, subject, head, number_of(tree, *of), tree[*of].text);
        return;
    }
    if (subject > head && tree.dep(head) != "ROOT") return;
    check(found, subject, head, number_of(tree, subject), tree[subject].text);
}

// "there are a dog", "there is dogs"
void check_there(RuleMarks& found, size_t there) {
    const DependencyTree& tree = found.tree;
    const size_t verb = tree[there].head;
    const auto attr = tree.child(verb, {"attr"});
    if (!attr || *attr < verb || tree.has_child(*attr, {"conj"}) || !tree.is_lower(verb, {"is", "are", "was", "were"}))
        return;
    Number number = tree.tag(*attr) == "NNS" ? Number::plural : tree.tag(*attr) == "NN" ? Number::singular : Number::unknown;
    if (may_be_either(tree[*attr].lemma)) number = Number::unknown;
    if (number == Number::singular && tree.has_child(*attr, {"nummod"})) number = Number::unknown;
    if (const auto det = tree.child(*attr, {"det", "amod"});
        number == Number::singular && det &&
        tree.is_lower(*det, {"many", "several", "few", "some", "these", "those", "other", "various"}))
        number = Number::unknown;
    if (number != Number::unknown) check(found, *attr, verb, number, tree[*attr].text);
}

}  // namespace

void mark_agreement(RuleMarks& found) {
    const DependencyTree& tree = found.tree;
    for (size_t i = 0; i < tree.size(); ++i) {
        if (tree.is_dep(i, {"nsubj", "nsubjpass"}) && tree[i].head != i) check_subject(found, i);
        if (tree.dep(i) == "expl" && tree.is_lower(i, {"there"})) check_there(found, i);
        if (tree.dep(i) == "csubj" && tree.tag(i) == "VBG" && !tree.has_child(i, {"conj"}))
            check(found, i, tree[i].head, Number::singular, tree[i].text);
        // "he are", whatever the tree says of it.
        if (tree.is_lower(i, {"he", "she", "it"}) && tree.is_lower(i + 1, {"are", "have", "do", "were", "am"}) &&
            (i == 0 || tree.is_tag(i - 1, {",", "CC", "``", "."}) || tree[i].sentence_start ||
             tree.is_lower(i - 1, {"that", "because", "when"})))
            found.substituted(i + 1, "'" + tree[i + 1].text + "' does not agree with '" + tree[i].text + "'",
                              {tree.is_lower(i + 1, {"are", "am"}) ? "is"
                               : tree.is_lower(i + 1, {"have"})    ? "has"
                               : tree.is_lower(i + 1, {"do"})      ? "does"
                                                                   : "was"});
        if (tree.is_lower(i, {"we", "they"}) && tree.is_lower(i + 1, {"is", "was", "has", "does", "am"}) &&
            (i == 0 || !tree.is_lower(i - 1, {"and", "or", "of"})))
            found.substituted(i + 1, "'" + tree[i + 1].text + "' does not agree with '" + tree[i].text + "'",
                              {tree.is_lower(i + 1, {"is", "am"}) ? "are"
                               : tree.is_lower(i + 1, {"has"})    ? "have"
                               : tree.is_lower(i + 1, {"does"})   ? "do"
                                                                  : "were"});
    }
}

}  // namespace craft
