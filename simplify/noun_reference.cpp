#include "simplify/noun_reference.h"

#include <algorithm>

namespace craft {

namespace {

bool is_name(const EnglishToken& token) {
    return is_one_of(token.tag, {"NNP", "NNPS"});
}

std::string with_possessive(const std::string& words, GrammaticalNumber number) {
    return words + (number == GrammaticalNumber::plural && words.ends_with("s") ? "'" : "'s");
}

// "no", "every" and the like leave nothing that a later sentence could speak of.
bool is_quantified(const ParsedSentence& s, size_t noun) {
    for (const size_t one : s.children(noun)) {
        const std::string& word = s[one].lower;
        if (one < noun && is_one_of(word, {"no", "every", "each", "any", "either", "neither", "another", "what", "which",
                                           "few", "whatever", "such", "only", "most", "hardly", "half"}))
            return true;
    }
    return false;
}

// "video game Lanternfall", which is none of a person.
bool begins_small(const std::string& words) {
    return !words.empty() && words[0] >= 'a' && words[0] <= 'z';
}

bool is_definite_or_counted(const ParsedSentence& s, size_t noun) {
    return std::any_of(s.children(noun).begin(), s.children(noun).end(), [&](size_t one) {
        return one < noun && is_one_of(s[one].dep, {"det", "poss", "nummod"});
    });
}

}  // namespace

std::optional<NounReference> personal_pronoun(const std::string& lower) {
    using enum GrammaticalNumber;
    static const std::vector<NounReference> all = {{"it", "it", "its", singular},  {"they", "them", "their", plural},
                                                   {"he", "him", "his", singular}, {"she", "her", "her", singular},
                                                   {"we", "us", "our", plural},    {"I", "me", "my", unknown},
                                                   {"you", "you", "your", unknown}};
    for (const NounReference& one : all)
        if (one.subject == lower || (lower == "i" && one.subject == "I")) return one;
    return std::nullopt;
}

std::string bare_noun(const ParsedSentence& s, size_t noun) {
    size_t first = noun;
    const auto belongs = [&](size_t token) {
        if (is_name(s[noun]) && token < noun && !s[token].space_after) return true;  // "Drake-Hollis"
        if (s[token].head != noun && s[s[token].head].head != noun) return false;
        return s[token].dep == "compound" || (is_name(s[noun]) && is_name(s[token]) && s[token].dep != "poss") ||
               (s[token].lower == "-" && first < noun);
    };
    while (first > s.begin() && belongs(first - 1)) --first;
    std::string words;
    for (size_t i = first; i <= noun; ++i) {
        const bool begins_text = i == s.begin() && !is_name(s[i]) && s[i].entity_place == 'O';
        words += begins_text ? s[i].lower : s[i].text;
        if (i < noun && s[i].space_after) words += " ";
    }
    return words;
}

std::optional<NounReference> refer_to(const ParsedSentence& s, size_t noun, bool pronoun) {
    const EnglishToken& token = s[noun];
    if (token.tag == "PRP") return personal_pronoun(token.lower);
    const GrammaticalNumber number = s.number(noun);
    if (is_one_of(token.lower, {"nothing", "something", "anything", "everything", "nobody", "somebody", "anybody",
                                "everybody", "someone", "anyone", "everyone", "none", "one", "half", "rest"}))
        return std::nullopt;
    if (number == GrammaticalNumber::unknown || !token.tag.starts_with("NN") || is_quantified(s, noun)) return std::nullopt;
    const bool is_joined = s.has_child(noun, {"conj"});
    if (is_joined && number != GrammaticalNumber::plural) return std::nullopt;  // "the mayor or the clerk"
    if (number == GrammaticalNumber::plural && (pronoun || is_joined)) return personal_pronoun("they");
    std::string words = bare_noun(s, noun);
    const std::optional<size_t> owner = s.child(noun, {"poss"});
    if (owner && is_one_of(s[*owner].lower, {"his", "her", "my", "our", "your"}))
        words = s[*owner].lower + " " + words;
    else if (is_name(token) ? s.has_child(noun, {"det"}) && (!s.has_child(noun, {"amod"}) || begins_small(words))
                            : is_definite_or_counted(s, noun))
        words = "the " + words;
    else if (number == GrammaticalNumber::plural && !is_name(token))
        words = "these " + words;
    return NounReference{words, words, with_possessive(words, number), number};
}

}  // namespace craft
