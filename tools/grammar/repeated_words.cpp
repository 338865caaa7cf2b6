#include <algorithm>

#include "english/doubled_words.h"
#include "english/indefinite_article.h"
#include "text/code_points.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool is_alphabetic(std::string_view word) {
    const std::u32string letters = decode_utf8(word);
    return !letters.empty() && std::all_of(letters.begin(), letters.end(), is_letter);
}

void mark_doubled(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i == 0 || tree.lower(i) != tree.lower(i - 1) || !is_alphabetic(tree.lower(i))) return;
    const bool is_name = tree.tag(i).starts_with("NNP") && tree.tag(i - 1).starts_with("NNP");
    if (!is_name && !may_stand_twice(tree.tokens(), i)) found.redundant(i, "'" + tree[i].text + "' stands twice");
}

bool is_determiner(const ParsedSentence& tree, size_t i) {
    if (tree.is_lower(i, {"a", "an"}) && stands_for_itself(tree.tokens(), i)) return false;
    return tree.is_lower(i, {"the", "a", "an", "my", "your", "our", "their", "its"}) ||
           (tree.is_lower(i, {"his", "her", "this", "these", "those"}) && tree.is_tag(i, {"DT", "PRP$"}));
}

void mark_two_determiners(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i == 0 || tree.lower(i) == tree.lower(i - 1)) return;
    const bool is_first = tree.is_lower(i - 1, {"the", "a", "an", "my", "your", "our", "their"});
    if (tree.is_lower(i - 1, {"the", "a"}) && tree.is_lower(i, {"another", "every", "each"}) && tree.tag(i) == "DT")
        return found.redundant(i - 1, "'" + tree[i - 1].text + "' and '" + tree[i].text + "' do not stand together");
    const bool is_you_are = tree.is_lower(i - 1, {"your"}) && tree.is_lower(i, {"the", "a", "an"});  // mark_your() has it
    // "a THE ranking": a name begins.
    const bool is_name = tree[i].text != tree[i].lower && tree[i - 1].text.substr(1) == tree[i - 1].lower.substr(1);
    if (is_first && !is_you_are && !is_name && is_determiner(tree, i))
        found.redundant(i - 1, "'" + tree[i - 1].text + "' and '" + tree[i].text + "' do not stand together");
}

void mark_doubled_comparison(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool is_more = tree.is_lower(i, {"more"}) && tree.is_tag(i + 1, {"JJR", "RBR"});
    const bool is_most = tree.is_lower(i, {"most"}) && tree.is_tag(i + 1, {"JJS", "RBS"});
    if ((is_more || is_most) && !tree.is_lower(i + 1, {"more", "most", "less", "least"}) &&
        (tree.lower(i + 1).ends_with("er") || tree.lower(i + 1).ends_with("est") ||
         tree.is_lower(i + 1, {"worse", "worst"})))
        return found.redundant(i, "'" + tree[i + 1].text + "' is a comparison by itself");
    static constexpr std::string_view kShort[] = {
        "small", "big",  "large", "tall",  "short", "fast", "slow", "old",   "young", "cheap", "strong", "weak",
        "hard",  "soft", "high",  "low",   "long",  "rich", "poor", "thin",  "thick", "easy",  "happy",  "heavy",
        "early", "ugly", "dirty", "noisy", "lazy",  "good", "bad",  "great", "nice",  "warm",  "cold",   "hot"};
    if (!tree.is_lower(i, {"more", "most"}) || !is_one_of(tree.lower(i + 1), kShort) || tree.is_tag(i + 2, {"NN", "NNS"}))
        return;
    const std::string form = found.know.forms.form(tree.lower(i + 1), tree.is_lower(i, {"more"}) ? "JJR" : "JJS");
    if (form.find(' ') == std::string::npos)
        found.substituted(i, "'" + tree[i + 1].text + "' has a comparison of its own", {form}, 2);
}

// "Although it rained, but we went": after the comma that ends the clause.
void mark_although_but(RuleMarks& found) {
    const ParsedSentence& tree = found.tree;
    for (size_t i = 0; i < tree.size(); ++i) {
        const bool starts = i == 0 || tree[i].sentence_start || tree.is_tag(i - 1, {"``", "."});
        if (!starts || !tree.is_lower(i, {"although", "though", "because", "since"})) continue;
        size_t comma = i;
        while (comma < tree.size() && tree.lower(comma) != "," && tree.tag(comma) != ".") ++comma;
        const bool is_cause = tree.is_lower(i, {"because", "since"});
        if (tree.lower(comma) == "," && comma > i + 2 && tree.lower(comma + 1) == (is_cause ? "so" : "but") &&
            tree.is_tag(comma + 2, {"PRP", "DT", "PRP$", "NNS", "NN", "NNP", "EX"}) && !tree.is_lower(comma + 2, {"all"}))
            found.redundant(comma + 1, "'" + tree[i].text + "' joins the clauses already");
    }
}

// "because of there was traffic"
void mark_because_of(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"because"}) || !tree.is_lower(i + 1, {"of"})) return;
    const bool is_clause = tree.is_lower(i + 2, {"i", "he", "she", "we", "they"}) ||
                           (tree.is_lower(i + 2, {"it", "there", "you"}) && tree.is_tag(i + 3, {"VBZ", "VBP", "VBD", "MD"}));
    if (is_clause) found.redundant(i + 1, "'because' takes a clause without 'of'");
}

// "most of people"
void mark_part_of(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.is_lower(i, {"most", "some", "many", "several"}) && tree.is_lower(i + 1, {"of"}) && tree.tag(i + 2) == "NNS" &&
        !tree.is_lower(i + 2, {"mine", "yours", "ours", "theirs", "hers"}))
        found.redundant(i + 1, "'" + tree[i].text + "' stands before a bare plural without 'of'");
}

// "returned back", "repeat again"
void mark_said_already(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const std::string& lemma = tree[i].lemma;
    const size_t next = i + 1;
    const bool is_back = is_one_of(lemma, {"return", "reply"}) && tree.is_lower(next, {"back"});
    const bool is_again = is_one_of(lemma, {"repeat"}) && tree.is_lower(next, {"again"});
    if (tree.tag(i).starts_with("VB") && (is_back || is_again))
        found.redundant(next, "'" + tree[i].text + "' says that already");
}

// "in yesterday", "at here", "to home", "in last week"
void mark_preposition_before_adverb(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const size_t next = i + 1;
    if (next >= tree.size() || tree.is_lower(next + 1, {"'s", "\xE2\x80\x99s", "'"}) || tree.tag(next + 1) == "HYPH") return;
    const bool is_preposition = tree.is_lower(i, {"in", "at", "on"});
    const bool is_day = tree.is_lower(next, {"yesterday", "tomorrow", "tonight"});
    const bool is_here = tree.is_lower(i, {"at"}) && tree.is_lower(next, {"here", "there"});
    const bool is_way = tree.is_lower(i, {"to"}) &&
                        tree.is_lower(next, {"home", "abroad", "here", "there", "downstairs", "upstairs"}) && i > 0 &&
                        tree.is_lower(i - 1, {"go", "goes", "going", "went", "gone", "come", "comes", "coming", "came",
                                              "return", "returns", "returned", "get", "got", "travel", "travelled"});
    const bool is_date =
        is_preposition && tree.is_lower(next, {"last", "next", "every"}) &&
        tree.is_lower(next + 1, {"week", "month", "year", "night", "morning", "evening", "monday", "tuesday", "wednesday",
                                 "thursday", "friday", "saturday", "sunday", "day", "summer", "winter"});
    if ((is_preposition && is_day) || is_here || is_way || is_date)
        found.redundant(i, "'" + tree[next].text + "' takes no preposition here");
}

}  // namespace

void mark_repeated_words(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_doubled(found, i);
        mark_two_determiners(found, i);
        mark_doubled_comparison(found, i);
        mark_because_of(found, i);
        mark_part_of(found, i);
        mark_said_already(found, i);
        mark_preposition_before_adverb(found, i);
    }
    mark_although_but(found);
}

}  // namespace craft
