#include "english/indefinite_article.h"
#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool is_noun(const ParsedSentence& tree, size_t i) {
    return tree.is_tag(i, {"NN", "NNS"});
}

bool is_finite(const ParsedSentence& tree, size_t i) {
    return tree.is_tag(i, {"VBZ", "VBP", "VBD", "MD"});
}

bool is_s(const ParsedSentence& tree, size_t i) {
    return tree.is_lower(i, {"'s", "\xE2\x80\x99s"});
}

// "in it's basket", "its a good idea"
void mark_its(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.is_lower(i, {"it"}) && is_s(tree, i + 1) && i > 0) {
        const bool is_owned = is_noun(tree, i + 2) || (tree.is_tag(i + 2, {"JJ", "NNP"}) && is_noun(tree, i + 3));
        const bool is_after =
            tree.is_tag(i - 1, {"IN", "VBD", "VBZ", "VBG", "VBN", "CC"}) &&
            !tree.is_lower(i - 1, {"that", "if",    "because", "think",    "said",   "says",    "and",  "but",
                                   "or",   "since", "though",  "although", "while",  "thought", "knew", "whether",
                                   "so",   "as",    "than",    "until",    "unless", "is",      "was"});
        if (is_owned && is_after) found.substituted(i, "\"it's\" is 'it is'; what belongs to it is 'its'", {"its"}, 2);
    }
    if (tree.is_lower(i, {"its"}) &&
        (tree.is_lower(i + 1, {"a", "an", "the", "been", "not", "going", "because", "very", "too", "so", "just", "also"}) ||
         (tree.is_lower(i + 1, {"important", "easy", "hard", "difficult", "good", "better", "time", "true", "clear",
                                "obvious", "possible", "necessary", "impossible"}) &&
          tree.is_lower(i + 2, {"to", "that", "for", "when", "if"}))))
        found.substituted(i, "'its' is what belongs to it; 'it is' is \"it's\"", {"it's"});
}

void mark_there(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    static constexpr std::string_view kBe[] = {"is", "are", "was", "were", "'s"};
    if (tree.is_lower(i, {"their"})) {
        const bool is_before =
            tree.is_lower(i + 1, {"is", "are", "was", "were", "has", "will", "would", "should", "must"}) &&
            !is_noun(tree, i + 1);
        const bool is_asked = i > 0 && is_one_of(tree.lower(i - 1), kBe) &&
                              tree.is_lower(i + 1, {"a", "an", "any", "no", "some", "anything", "enough", "many", "much"});
        if (is_before || is_asked) found.substituted(i, "'their' is what belongs to them", {"there"});
        return;
    }
    if (!tree.is_lower(i, {"there"}) || !is_noun(tree, i + 1)) return;
    const bool is_place = i > 0 && (is_one_of(tree.lower(i - 1), kBe) || tree[i - 1].pos == "VERB");
    const bool is_object =
        i > 0 && (tree.is_tag(i - 1, {"IN", "CC"}) || tree.is_lower(i - 1, {"me", "him", "her", "us", "them"}));
    if ((!is_place && is_finite(tree, i + 2) && tree.dep(i) == "expl") || (is_object && !is_place && is_finite(tree, i + 2)))
        found.substituted(i, "'there' is a place; what belongs to them is 'their'", {"their"});
}

void mark_your(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool is_followed = tree.is_lower(i + 1, {"going", "welcome", "not", "a", "an", "the", "very", "so", "too",
                                                   "always", "never", "right", "wrong", "sure"}) ||
                             (tree.tag(i + 1) == "VBG" && tree.is_dep(i, {"nsubj"}));
    if (tree.is_lower(i, {"your"}) && is_followed && !is_noun(tree, i + 2))
        found.substituted(i, "'your' is what belongs to you; 'you are' is \"you're\"", {"you're"});
    if (tree.is_lower(i, {"who"}) && is_s(tree, i + 1) && is_noun(tree, i + 2) && is_finite(tree, i + 3))
        found.substituted(i, "\"who's\" is 'who is'; what belongs to somebody is 'whose'", {"whose"}, 2);
}

void mark_too(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"to"}) || i == 0) return;
    const std::string next(tree.lower(i + 1));
    const bool is_degree = tree.is_lower(i + 1, {"much", "many"}) && !tree.is_tag(i + 2, {"VB"});
    const bool is_after_be =
        tree.is_lower(i - 1, {"is", "are", "was", "were", "be", "been", "am", "'s", "'m", "'re", "get", "got"});
    const bool is_quality = is_after_be && found.know.forms.is_adjective(next) && !found.know.forms.is_verb(next);
    const bool is_known = is_after_be &&
                          tree.is_lower(i + 1, {"cold", "hot", "late", "expensive", "cool", "dry", "slow", "warm"}) &&
                          (tree.is_lower(i + 2, {"to", "for", ".", "and"}));
    if (is_degree || is_quality || is_known) found.substituted(i, "a degree is 'too'", {"too"});
}

void mark_then(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i == 0 || !tree.is_lower(i, {"then"})) return;
    const bool is_compared = (tree.is_tag(i - 1, {"JJR", "RBR"}) || tree.is_lower(i - 1, {"rather", "more", "less"})) ||
                             (i > 1 && tree.is_tag(i - 2, {"JJR", "RBR"}) && tree.is_tag(i - 1, {"NN", "NNS", "JJ", "RB"}));
    if (is_compared && !tree.is_tag(i + 1, {".", ",", "VBD"}) && i + 1 < tree.size())
        found.substituted(i, "a comparison goes on with 'than'", {"than"});
}

// "a hour", "an book"
void mark_a_or_an(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree.is_lower(i, {"a", "an"}) || tree.tag(i) != "DT" || stands_for_itself(tree.tokens(), i)) return;
    if (!tree[i].space_after) return;
    const std::string next = tree.written_from(i + 1);
    if (may_stand_before(tree[i].lower, next)) return;
    const std::string right(indefinite_article(next));
    found.substituted(i, "'" + tree[i + 1].text + "' is said with a " + (right == "an" ? "vowel" : "consonant") + " first",
                      {right});
}

bool is_time_unit(const ParsedSentence& tree, size_t i) {
    return tree.is_lower(i, {"years", "months", "weeks", "days", "hours", "minutes", "decades", "centuries"});
}

// "since twenty years", "for 2005"
void mark_since(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.is_lower(i, {"since"})) {
        size_t unit = i + 1;
        while (tree.is_tag(unit, {"CD"}) ||
               tree.is_lower(unit, {"more", "than", "about", "many", "several", "almost", "over", "a", "few"}))
            ++unit;
        const bool is_ago = tree.is_lower(unit + 1, {"ago", "before", "earlier", "of", "passed", "have"});
        if (unit > i + 1 && is_time_unit(tree, unit) && !is_ago)
            found.substituted(i, "a length of time is given by 'for'", {"for"});
    }
    const std::string_view year = tree.lower(i + 1);
    const bool is_year = year.size() == 4 && (year.starts_with("19") || year.starts_with("20")) && tree.tag(i + 1) == "CD";
    if (i == 0 || !is_year || !tree.is_lower(i, {"from", "for"}) || !tree.is_lower(i + 2, {".", ",", "and"})) return;
    const size_t verb = tree[i].head;
    const auto aux = tree.child(verb, {"aux"});
    if (tree.tag(verb) == "VBN" && aux && tree.is_lower(*aux, {"have", "has", "'ve"}))
        found.substituted(i, "what goes on from a time has 'since'", {"since"});
}

// "to effect it", "an affect on", "to loose it"
void mark_nouns_for_verbs(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (i == 0) return;
    const bool is_infinitive = tree.is_tag(i - 1, {"MD", "TO"}) || tree.is_lower(i - 1, {"n't", "not"});
    if (tree.is_lower(i, {"effect"}) && is_infinitive && tree.is_tag(i, {"VB", "NN", "VBP"}) &&
        !tree.is_lower(i + 1, {"change", "a"}))
        found.substituted(i, "to influence is 'to affect'", {"affect"});
    if (tree.is_lower(i, {"affect"}) &&
        tree.is_lower(i - 1, {"an", "the", "big", "bad", "great", "good", "negative", "positive", "strong"}) &&
        tree.is_lower(i + 1, {"on", "of", "."}))
        found.substituted(i, "an influence is an 'effect'", {"effect"});
    if (tree.is_lower(i, {"loose"}) && is_infinitive) found.substituted(i, "to have no longer is 'to lose'", {"lose"});
}

// "the man which came"
void mark_which(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    static const WordLines& persons = listed_words("persons");
    if (i == 0 || !tree.is_lower(i, {"which"})) return;
    const bool is_person = persons.contains(tree[i - 1].lower) || persons.contains(tree[i - 1].lemma) ||
                           tree.is_lower(i - 1, {"somebody", "someone", "everyone", "anyone"});
    const size_t verb = tree.after_adverbs(i + 1);
    if (is_person && tree[verb < tree.size() ? verb : i].tag.starts_with("V"))
        found.substituted(i, "of persons it is 'who'", {"who"});
}

// "should of", "fastly", "didnt", "it is such good"
void mark_word_alone(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.is_lower(i, {"of"}) && i > 0 && tree.is_lower(i - 1, {"would", "could", "should", "must", "might"}) &&
        !tree.is_lower(i + 1, {"course"}))
        found.substituted(i, "behind '" + tree[i - 1].text + "' it is 'have'", {"have"});
    if (tree.is_lower(i, {"fastly"})) found.substituted(i, "the adverb is 'fast', too", {"fast"});
    if (tree.is_lower(i, {"nt"}) && i > 0 && !tree[i - 1].space_after)  // of "didnt", which is cut in two
        found.substituted(i, "an apostrophe is missing", {"n't"});
    if (tree.is_lower(i, {"such"}) && tree.is_tag(i + 1, {"JJ"}) && tree.is_lower(i + 2, {"that", ",", "."}))
        found.substituted(i, "before a quality without a noun it is 'so'", {"so"});
}

// "drives careful", "speaks it too quick"
void mark_adverbs(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree.tag(i) != "JJ" || !tree.is_dep(i, {"acomp", "ccomp", "advmod", "oprd"}) || i == 0) return;
    static constexpr std::string_view kAction[] = {"drive",  "speak",   "walk",   "work",    "talk",  "play",   "sing",
                                                   "dance",  "write",   "read",   "learn",   "move",  "eat",    "study",
                                                   "behave", "listen",  "answer", "explain", "treat", "change", "increase",
                                                   "grow",   "improve", "swim",   "cook"};
    const std::string& verb = tree[tree[i].head].lemma;
    const std::string adverb = tree[i].lower.ends_with("y")    ? tree[i].lower.substr(0, tree[i].lower.size() - 1) + "ily"
                               : tree[i].lower.ends_with("le") ? tree[i].lower.substr(0, tree[i].lower.size() - 1) + "y"
                                                               : tree[i].lower + "ly";
    if (is_one_of(verb, kAction) && tree[i].head < i &&
        !tree.is_lower(i, {"hard", "fast",  "late", "early", "straight", "loud",   "long", "high",
                           "low",  "alone", "free", "due",   "such",     "worth",  "much", "little",
                           "well", "last",  "next", "more",  "less",     "enough", "good", "better"}) &&
        tree.is_tag(i + 1, {",", ".", "CC", "IN", "RB"}) && found.know.is_word(adverb))
        found.substituted(i, "how something is done says an adverb", {adverb});
}

}  // namespace

void mark_confused_words(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_its(found, i);
        mark_there(found, i);
        mark_your(found, i);
        mark_too(found, i);
        mark_then(found, i);
        mark_a_or_an(found, i);
        mark_since(found, i);
        mark_nouns_for_verbs(found, i);
        mark_word_alone(found, i);
        mark_which(found, i);
        mark_adverbs(found, i);
    }
}

}  // namespace craft
