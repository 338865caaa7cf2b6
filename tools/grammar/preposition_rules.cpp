#include <algorithm>

#include "tools/grammar/mark_rules.h"

namespace craft {

namespace {

bool has(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// The entry of the token's word, by what it is in the sentence.
const GovernedWord* governed(const RuleMarks& found, size_t i) {
    const EnglishToken& token = found.tree[i];
    if (token.tag.starts_with("VB")) {
        if (const GovernedWord* adjective = found.know.prepositions.find('a', token.lower);
            adjective && (token.tag == "VBN" || token.tag == "VBG") && i > 0 &&
            (found.tree.is_lower(i - 1, {"is", "are", "was", "were", "be", "been", "am", "'m", "'s", "'re", "very", "not",
                                         "so", "get", "got"}) ||
             token.lower == "according"))
            return adjective;
        return found.know.prepositions.find('v', token.lemma);
    }
    if (token.tag.starts_with("JJ")) return found.know.prepositions.find('a', token.lower);
    return token.tag == "NN" || token.tag == "NNS" ? found.know.prepositions.find('n', token.lemma) : nullptr;
}

// "depend of", "discuss about", "good in"
void mark_wrong(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const GovernedWord* word = governed(found, i);
    const size_t next = i + 1;
    if (word == nullptr || !has(word->wrong, tree.lower(next)) || !tree.is_tag(next, {"IN", "TO", "RP"})) return;
    if (tree.is_lower(next, {"of"}) && tree.is_lower(next + 1, {"course"})) return;
    // A noun that a verb's preposition follows has it from elsewhere ("a lack of": the verb alone is meant), and "to" before
    // a verb is none.
    const bool is_before_object =
        tree.is_tag(next + 1, {"DT", "PRP", "PRP$", "NN", "NNS", "NNP", "JJ", "VBG", "WP", "WDT", "CD", "WRB"});
    const bool is_infinitive = tree.is_lower(next, {"to"}) && tree.tag(next + 1) == "VB";
    if (is_infinitive && tree.is_lower(i, {"capable"})) return;
    if (!is_before_object && !(is_infinitive && tree[i].lemma == "succeed")) return;
    // Of time and place anything may follow ("participated on Monday", "good in bed").
    if (tree.is_lower(next, {"in", "on", "at"}) &&
        (tree.tag(next + 1) == "NNP" || tree.tag(next + 1) == "CD" ||
         tree.is_lower(next + 1, {"this", "general", "many", "which", "some", "front", "order", "addition", "case", "fact",
                                  "terms", "time", "particular", "both", "all"}) ||
         tree.is_lower(next + 2, {"morning", "evening", "moment", "time", "end", "beginning", "way", "sense", "same", "past",
                                  "future", "hands", "days", "case", "eyes", "face"})))
        return;
    if (tree.is_lower(next, {"by", "for", "with", "without"}) && tree.is_tag(next + 1, {"VBG", "CD"})) return;
    if (tree.is_lower(next, {"for"}) &&
        tree.is_lower(next + 2, {"time", "while", "moment", "years", "hours", "first", "example", "reasons"}))
        return;
    // The object may stand between, as in "contact the office with"; directly after it the preposition is the verb's own.
    if (word->right.empty()) {
        if (tree.tag(i) == "VBN" && i > 0 && !tree.is_lower(i - 1, {"have", "has", "had", "'ve", "not", "never", "already"}))
            return;
        return found.redundant(next, "'" + tree[i].text + "' takes its object without a preposition");
    }
    std::vector<std::string> suggestions(
        word->right.begin(), word->right.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(word->right.size(), 2)));
    found.substituted(next, "'" + tree[i].text + "' goes with '" + word->right.front() + "'", std::move(suggestions));
}

// "prefer tea than coffee": the object stands between.
void mark_prefer(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree[i].lemma != "prefer" || !tree[i].tag.starts_with("VB")) return;
    for (size_t k = i + 2; k < tree.size() && k < i + 6; ++k) {
        if (tree.is_lower(k, {"rather", "more", ",", "to", "better"}) || tree.is_tag(k, {"JJR", "RBR"})) return;
        if (tree.is_lower(k, {"than"})) return found.substituted(k, "'prefer' goes with 'to'", {"to"});
    }
}

// "listen music", "wait the bus"
void mark_needed(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (!tree[i].tag.starts_with("VB") || tree.tag(i) == "VBN") return;
    const GovernedWord* word = found.know.prepositions.find('v', tree[i].lemma);
    const bool is_forward = tree.is_lower(i + 1, {"forward"}) && tree[i].lemma == "look";
    if (is_forward && tree.is_tag(i + 2, {"VBG", "DT", "PRP$"}))
        return found.missing(i + 2, "'look forward' goes with 'to'", {"to"});
    if (word == nullptr || !word->needs_one) return;
    const bool is_object = tree.is_tag(i + 1, {"PRP", "PRP$", "DT", "NN", "NNS"}) &&
                           !tree.is_lower(i + 1, {"all", "this", "that", "every", "each", "any", "a", "another", "there",
                                                  "no", "years", "hours", "days", "today", "tonight", "yesterday"});
    const bool is_gerund = tree.tag(i + 1) == "VBG" && word->right.front() == "for" && tree[i].lemma.starts_with("apolog");
    const bool is_clear = is_gerund || std::any_of(tree.children(i).begin(), tree.children(i).end(), [&](size_t child) {
                              return child > i && tree.dep(child) == "dobj" &&
                                     (child == i + 1 || (child == i + 2 && tree.is_tag(i + 1, {"DT", "PRP$", "JJ"})));
                          });
    if ((is_object || is_gerund) && is_clear)
        found.missing(i + 1, "'" + tree[i].text + "' goes with '" + word->right.front() + "'", {word->right.front()});
}

// "explained us the rule", "says me to come", "suggested me to go"
void mark_explain(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool has_listener = tree.is_lower(i + 1, {"me", "him", "us", "them"}) && tree[i].tag.starts_with("VB");
    if (tree[i].lemma == "say" && has_listener && tree.is_tag(i + 2, {"TO", "IN", "DT", "WP", "WRB"}))
        return found.substituted(i, "with who is told it is 'tell'", {found.know.forms.form("tell", tree[i].tag)});
    if (tree[i].lemma == "suggest" && has_listener && tree.tag(i + 2) == "TO")
        return found.substituted(i + 1, "'suggest' is followed by 'that' and a clause",
                                 {tree.is_lower(i + 1, {"me"})    ? "that I"
                                  : tree.is_lower(i + 1, {"him"}) ? "that he"
                                  : tree.is_lower(i + 1, {"us"})  ? "that we"
                                                                  : "that they"},
                                 2);
    if (!is_one_of(tree[i].lemma, {"explain", "describe", "suggest"}) || !tree[i].tag.starts_with("VB") ||
        tree.tag(i) == "VBN")
        return;
    const bool is_listener = tree.is_lower(i + 1, {"me", "him", "us", "them"});
    if (!is_listener || !tree.is_tag(i + 2, {"DT", "PRP$", "WRB", "IN", "WP", "TO"}) ||
        tree.is_lower(i + 2, {"as", "in", "with", "by", "for", "from", "at"}))
        return;
    if (tree.is_lower(i + 2, {"to"})) return;
    found.missing(i + 1, "who is told stands behind 'to' here", {"to"});
}

// "It is important young people to take part", "I am afraid spiders"
void mark_after_adjective(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const bool is_after_be =
        i > 0 && tree.is_lower(i - 1, {"is", "was", "am", "are", "were", "be", "'m", "'s", "'re", "very", "so"});
    if (tree.tag(i) != "JJ" || !is_after_be) return;
    if (tree.is_lower(
            i, {"important", "easy", "difficult", "hard", "necessary", "possible", "impossible", "essential", "useful"}) &&
        tree.is_lower(i - 2, {"it", "is", "was"})) {
        size_t to = i + 1;
        while (tree.is_tag(to, {"JJ", "NNS", "PRP", "NN", "DT", "PRP$"})) ++to;
        if (to > i + 1 && tree.tag(to) == "TO" && tree.tag(to + 1) == "VB" && tree.is_tag(to - 1, {"NNS", "PRP"}))
            return found.missing(i + 1, "who does it stands behind 'for'", {"for"});
    }
    static constexpr std::string_view kNeedy[] = {"afraid",      "aware",  "fond",       "capable", "proud",   "similar",
                                                  "responsible", "famous", "interested", "ashamed", "jealous", "tired"};
    const GovernedWord* word = found.know.prepositions.find('a', tree[i].lower);
    if (word == nullptr || word->right.empty() || !is_one_of(tree.lower(i), kNeedy)) return;
    const bool is_object = tree.is_tag(i + 1, {"NNS", "NN"}) && tree.is_tag(i + 2, {",", ".", "CC"});
    if (is_object)
        found.missing(i + 1, "'" + tree[i].text + "' goes with '" + word->right.front() + "'", {word->right.front()});
}

// "spend more time their children", "it took us for three hours"
void mark_objects(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    if (tree[i].lemma == "take" && tree.is_lower(i + 1, {"me", "him", "her", "us", "them", "you"}) &&
        tree.is_lower(i + 2, {"for"}) && tree.tag(i + 3) == "CD")
        return found.redundant(i + 2, "'" + tree[i].text + "' takes its time without a preposition");
    if (tree[i].lemma == "spend" && tree[i].tag.starts_with("VB")) {
        size_t time = i + 1;
        while (tree.is_lower(time, {"more", "a", "lot", "of", "some", "much", "less", "too", "the", "most", "their", "his",
                                    "her", "my"}) &&
               time < i + 5)
            ++time;
        if (tree.is_lower(time, {"time"}) && tree.is_tag(time + 1, {"PRP$"}))
            found.missing(time + 1, "time is spent with somebody", {"with", "on"});
    }
}

// "in Monday", "on January", "in the third of May"
void mark_before_date(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const size_t next = i + 1;
    if (tree.is_lower(i, {"in", "at"}) && is_weekday(tree.lower(next)) && tree.tag(next).starts_with("NNP") &&
        !tree.tag(next + 1).starts_with("N") && tree.lower(next + 1) != "'s")
        return found.substituted(i, "a day goes with 'on'", {"on"});
    if (tree.is_lower(i, {"on", "at"}) && tree.tag(next) == "NNP" && is_month(tree.lower(next)) &&
        !tree.is_tag(next + 1, {"CD", "NNP", "NN"}) && !tree.is_lower(next, {"may", "april", "june", "august"}))
        return found.substituted(i, "a month goes with 'in'", {"in"});
    if (tree.is_lower(i, {"in"}) && tree.is_lower(next, {"the"}) && tree.is_lower(next + 2, {"of"}) &&
        is_month(tree.lower(next + 3)) &&
        tree.is_lower(next + 1, {"first", "second", "third", "fourth", "fifth", "sixth", "tenth", "twentieth"}))
        found.substituted(i, "a date goes with 'on'", {"on"});
}

// "at the morning", "in three o'clock", "in holiday"
void mark_before_time(RuleMarks& found, size_t i) {
    const ParsedSentence& tree = found.tree;
    const size_t next = i + 1;
    if (tree.is_lower(i, {"at", "on"}) && tree.is_lower(next, {"the"}) &&
        tree.is_lower(next + 1, {"morning", "afternoon", "evening"}) &&
        !tree.is_lower(next + 2, {"of", "after", "before", "we", "when", "i", "he", "she", "they"}))
        return found.substituted(i, "a part of the day goes with 'in'", {"in"});
    if (tree.is_lower(i, {"in", "on"}) && tree.tag(next) == "CD" && tree.is_lower(next + 1, {"o'clock"}))
        return found.substituted(i, "an hour goes with 'at'", {"at"});
    if (tree.is_lower(i, {"in"}) && tree.is_lower(next, {"holiday", "foot"}) &&
        !tree.is_lower(next + 1, {"season", "resorts"}) && !tree.is_tag(next + 1, {"NN", "NNS"}))
        found.substituted(i, "'" + tree[next].text + "' goes with 'on'", {"on"});
}

}  // namespace

void mark_prepositions(RuleMarks& found) {
    for (size_t i = 0; i < found.tree.size(); ++i) {
        mark_wrong(found, i);
        mark_prefer(found, i);
        mark_needed(found, i);
        mark_explain(found, i);
        mark_after_adjective(found, i);
        mark_objects(found, i);
        mark_before_date(found, i);
        mark_before_time(found, i);
    }
}

}  // namespace craft
