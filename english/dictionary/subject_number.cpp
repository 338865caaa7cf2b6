#include "english/dictionary/subject_number.h"

#include "english/dictionary/noun_facts.h"

namespace craft {

namespace {

// "he and she"; with "or" it goes by the nearer one, which is left open.
std::optional<GrammaticalNumber> number_of_joined(const ParsedSentence& s, size_t subject) {
    const auto joined = s.child(subject, {"conj"});
    if (!joined) return std::nullopt;
    const auto by = s.child(subject, {"cc"});
    if (!by || !s.is_lower(*by, {"and"})) return GrammaticalNumber::unknown;
    if (const auto each = s.child(subject, {"det"}); each && s.is_lower(*each, {"each", "every", "no"}))
        return GrammaticalNumber::unknown;
    // "bread and butter" may be one thing.
    const bool is_two = s.has_child(subject, {"det", "poss"}) && s.has_child(*joined, {"det", "poss"});
    const bool are_persons = s[subject].entity == "PERSON" && s[*joined].entity == "PERSON";
    const bool is_plural = is_two || are_persons || s.is_tag(subject, {"PRP", "NNS"}) || s.is_tag(*joined, {"PRP", "NNS"});
    return is_plural ? GrammaticalNumber::plural : GrammaticalNumber::unknown;
}

// Of words that have their number by themselves, whatever their tag is.
std::optional<GrammaticalNumber> number_of_word(const ParsedSentence& s, size_t subject) {
    if (s.is_lower(subject, {"i", "we", "they", "you", "these", "those", "both", "people", "many", "few"}))
        return GrammaticalNumber::plural;
    if (s.is_lower(subject, {"he", "she", "it", "everyone", "everybody", "someone", "somebody", "anyone", "anybody",
                             "nobody", "everything", "something", "anything", "nothing", "news"}))
        return GrammaticalNumber::singular;
    if (s.is_lower(subject, {"this"}) && s.tag(subject) == "DT") return GrammaticalNumber::singular;
    if (s.is_lower(subject, {"each", "either", "neither"}) && s.tag(subject) == "DT")
        return s.has_child(subject, {"prep"}) ? GrammaticalNumber::singular : GrammaticalNumber::unknown;
    if (s.is_lower(subject, {"number"}))
        if (const auto det = s.child(subject, {"det"}); det && s.is_lower(*det, {"the"})) return GrammaticalNumber::singular;
    return std::nullopt;
}

// "two years", "thanks", "physics", "informations", "the team", "all", "mine"
bool may_be_either(const ParsedSentence& s, size_t subject) {
    static const WordLines& units = listed_words("units");
    const EnglishToken& token = s[subject];
    const bool is_amount =
        token.tag == "NNS" && (units.contains(token.lemma) || s.is_lemma(subject, {"thank", "good", "sport"}));
    return is_amount || token.lower.ends_with("ics") || right_for_wrong_plural(token.lower) ||
           has_either_number(token.lemma) || s.is_lemma(subject, {"other", "all", "most", "some", "any", "more", "none"}) ||
           s.is_lower(subject, {"mine", "yours", "ours", "hers", "theirs"});
}

// "20 dog": of a noun whose number is told it may be what is wrong.
bool is_counted_wrongly(const ParsedSentence& s, size_t subject) {
    if (s.tag(subject) == "NNS") return false;
    if (const auto each = s.child(subject, {"det"}); each && s.is_lower(*each, {"these", "those", "many", "all", "both"}))
        return true;
    const auto number = s.child(subject, {"nummod", "quantmod"});
    return number && !s.is_lower(*number, {"one", "1"});
}

}  // namespace

GrammaticalNumber subject_number(const ParsedSentence& sentence, size_t subject) {
    if (const auto joined = number_of_joined(sentence, subject)) return *joined;
    if (const auto known = number_of_word(sentence, subject)) return *known;
    if (may_be_either(sentence, subject) || is_counted_wrongly(sentence, subject)) return GrammaticalNumber::unknown;
    return sentence.number(subject);
}

}  // namespace craft
