#include <algorithm>

#include "english/dictionary/noun_facts.h"
#include "english/indefinite_article.h"
#include "gec/rules/proposals.h"

namespace craft {

namespace {

bool is_common_noun(std::string_view tag) {
    return tag == "NN" || tag == "NNS";
}

// What comes before a noun and says how many are meant.
struct NumberSign {
    GrammaticalNumber number = GrammaticalNumber::unknown;
    std::optional<size_t> token = {};
};

NumberSign number_sign(const WrittenSentence& s, const CorrectionWords& words, size_t noun) {
    // "one of the reasons": the noun after is one of many.
    const EnglishToken& head = s[s[noun].head];
    if (s[noun].dep == "pobj" && head.lower == "of" && head.head != s[noun].head && s.lower(head.head) == "one")
        return {GrammaticalNumber::plural, head.head};
    for (size_t i = noun; i-- > 0 && noun - i <= 4;) {
        const std::string_view word = s.lower(i), tag = s.tag(i);
        if (words.strictly_plural_determiners.contains(word)) return {GrammaticalNumber::plural, i};
        const bool is_number = tag == "CD" && word != "1" && word != "one" && s[i].dep == "nummod" && s[i].head == noun;
        if (is_number && word.find_first_not_of("0123456789") == std::string_view::npos && word.size() < 4)
            return {GrammaticalNumber::plural, i};
        if (words.singular_determiners.contains(word) && (tag == "DT" || word == "one" || word == "another"))
            return {GrammaticalNumber::singular, i};
        if (!is_one_of(tag, {"JJ", "JJR", "JJS", "NN", "RB", "VBN", "VBG"})) break;
    }
    return {};
}

void propose_determiner(const WrittenSentence& s, size_t at, bool noun_is_plural, const std::string& noun,
                        CorrectionProposals& to) {
    static const std::vector<std::pair<std::string_view, std::string_view>> pairs = {
        {"this", "these"}, {"that", "those"}, {"much", "many"}, {"every", "all"}};
    for (const auto& [one, many] : pairs) {
        const std::string_view from = noun_is_plural ? one : many, into = noun_is_plural ? many : one;
        if (s.lower(at) == from)
            to.push_back({s.replaced(at, std::string(into)), CorrectionKind::determiner, 1, false,
                          "'" + noun + "' is of the other number"});
    }
    if (noun_is_plural && (s.lower(at) == "a" || s.lower(at) == "an"))
        to.push_back({s.removed(at, at + 1), CorrectionKind::article_redundant, 1, false, "'" + noun + "' is a plural"});
}

}  // namespace

void propose_noun_numbers(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    const CorrectionWords& words = language.words();
    for (size_t i = 0; i < s.size(); ++i) {
        const EnglishToken& noun = s[i];
        if (!is_common_noun(noun.tag) || !s.is_word(i) || noun.lemma.empty() || noun.text.size() < 3) continue;
        if (noun.text.find('\'') != std::string::npos) continue;
        const bool is_plural = noun.tag == "NNS";
        const std::string other = is_plural ? noun.lemma : language.forms().form(noun.lemma, "NNS");
        if (is_plural && is_uncountable(noun.lemma) && noun.lower == noun.lemma + "s") {
            to.push_back(
                {s.replaced(i, noun.lemma), CorrectionKind::noun_number, 3, true, "'" + noun.lemma + "' has no plural"});
            continue;
        }
        if (other.empty() || other == noun.lower || !language.knows(other) || language.rarity(other) > 0.75) continue;
        const NumberSign sign = number_sign(s, words, i);
        double evidence = is_mass(noun.lemma) ? (is_plural ? 1 : -5) : -3.5;  // by itself either number may be meant
        std::string why = "the other number may be meant";
        if (sign.token) {
            const bool fits = (sign.number == GrammaticalNumber::plural) == is_plural;
            evidence = fits ? -5.5 : 2;
            if (!fits) {
                why = "'" + s[*sign.token].text + "' asks for " + (is_plural ? "one" : "several");
                propose_determiner(s, *sign.token, is_plural, noun.text, to);
            }
        }
        to.push_back({s.replaced(i, other), CorrectionKind::noun_number, evidence, false, why});
    }
}

namespace {

// The first token of what comes before a noun and belongs to it, the noun itself where nothing does.
size_t noun_phrase_begin(const WrittenSentence& s, size_t noun) {
    size_t begin = noun;
    while (begin > 0 &&
           (is_one_of(s.tag(begin - 1), {"JJ", "JJR", "JJS", "NN", "VBG", "VBN", "CD"}) ||
            (s.tag(begin - 1) == "RB" && begin < noun && s[begin - 1].head == begin)) &&
           s.is_within(begin - 1, noun) && s.lower(begin - 1) != "not")
        --begin;
    return begin;
}

bool has_determiner(const WrittenSentence& s, size_t noun, size_t begin) {
    if (s.has_child(noun, {"det", "poss", "predet"})) return true;
    return begin > 0 && is_one_of(s.tag(begin - 1), {"DT", "PRP$", "WDT", "WP$", "POS", "PDT"});
}

void propose_article_changes(const WrittenSentence& s, size_t i, CorrectionProposals& to) {
    const std::string_view word = s.lower(i);
    if (i + 1 >= s.size() || (word != "the" && stands_for_itself(s.tokens(), i))) return;
    const std::string_view next = std::string_view(s.text()).substr(s.begin_of(i + 1));
    const std::string indefinite(indefinite_article(next));
    const bool next_is_word = s.is_word(i + 1) && s[i + 1].text.size() > 1;
    if (word != "the" && !may_stand_before(word, next))
        to.push_back({s.replaced(i, indefinite), CorrectionKind::article_choice, 2, true,
                      "'" + indefinite + "' goes before '" + s[i + 1].text + "'"});
    to.push_back({s.removed(i, i + 1), CorrectionKind::article_redundant, 0, false, "no article may be needed"});
    const bool head_is_plural = s.tag(s[i].head) == "NNS" || s.tag(s[i].head) == "NNPS";
    if (word == "the" && !head_is_plural && next_is_word)
        to.push_back({s.replaced(i, indefinite), CorrectionKind::article_choice, -2, false, "it may be any one"});
    if (word != "the")
        to.push_back({s.replaced(i, "the"), CorrectionKind::article_choice, -2, false, "it may be a certain one"});
}

}  // namespace

void propose_articles(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    for (size_t i = 0; i < s.size(); ++i) {
        const EnglishToken& token = s[i];
        if (is_one_of(token.lower, {"a", "an", "the"}) && token.tag == "DT") propose_article_changes(s, i, to);
        // A first word with its capital is easily taken for a name.
        const bool looks_like_name =
            i == 0 && token.tag == "NNP" && token.entity.empty() && language.rarity(token.lower) < 0.5;
        if ((!is_common_noun(token.tag) && !looks_like_name) || !s.is_word(i)) continue;
        const bool is_inner = i + 1 < s.size() && is_common_noun(s.tag(i + 1)) && s[i].head == i + 1;  // of a compound
        const size_t begin = noun_phrase_begin(s, i);
        if (is_inner || has_determiner(s, i, begin) || s.lower(begin) == "such" || s.tag(begin) == "CD") continue;
        const bool is_plural = token.tag == "NNS", is_bare = is_plural || is_mass(token.lemma);
        const std::string why = "no article stands before '" + s[begin].text + "'";
        // A sentence may well begin with what is not yet known, and headlines do.
        const double at_begin = begin == 0 ? -2 : 0;
        to.push_back(
            {s.inserted_before(begin, "the"), CorrectionKind::article_missing, at_begin + (is_bare ? -2.5 : 0), false, why});
        if (is_plural) continue;
        const std::string indefinite(indefinite_article(std::string_view(s.text()).substr(s.begin_of(begin))));
        to.push_back({s.inserted_before(begin, indefinite), CorrectionKind::article_missing,
                      at_begin + (is_bare ? -2.5 : -0.5), false, why});
    }
}

}  // namespace craft
