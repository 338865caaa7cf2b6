#include <algorithm>
#include <array>

#include "gec/rules/proposals.h"

namespace craft {

namespace {

// Endings by which words of one family change their class ("importance", "important").
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kEndings = {{{"ly", ""},
                                                                                     {"ily", "y"},
                                                                                     {"ally", "al"},
                                                                                     {"ally", "ic"},
                                                                                     {"bly", "ble"},
                                                                                     {"ence", "ent"},
                                                                                     {"ance", "ant"},
                                                                                     {"ity", ""},
                                                                                     {"ness", ""},
                                                                                     {"iness", "y"},
                                                                                     {"ful", ""},
                                                                                     {"al", ""},
                                                                                     {"y", ""},
                                                                                     {"ation", "ate"},
                                                                                     {"th", ""},
                                                                                     {"ous", ""}}};

// A word of the same family with another ending, both ways.
std::vector<std::string> family_of(const CorrectionLanguage& language, const std::string& word) {
    std::vector<std::string> family;
    const auto add = [&](std::string_view from, std::string_view into) {
        if (word.size() < from.size() + 3 || !word.ends_with(from)) return;
        const std::string other = word.substr(0, word.size() - from.size()) + std::string(into);
        if (other != word && language.rarity(other) < 0.6 && language.knows(other)) family.push_back(other);
    };
    if (word == "good") family.emplace_back("well");
    if (word == "well") family.emplace_back("good");
    for (const auto& [one, other] : kEndings) {
        add(one, other);
        add(other, one);
    }
    std::sort(family.begin(), family.end(), [&](const std::string& a, const std::string& b) {
        return std::pair(language.rarity(a), a) < std::pair(language.rarity(b), b);
    });
    family.erase(std::unique(family.begin(), family.end()), family.end());
    if (family.size() > 3) family.resize(3);
    return family;
}

// The case of pronouns that place and parse ask for.
void propose_pronoun(const WrittenSentence& s, size_t i, CorrectionProposals& to) {
    struct Cases {
        std::string_view subject, object, possessive;
    };
    static constexpr std::array<Cases, 5> kCases = {
        {{"i", "me", "my"}, {"he", "him", "his"}, {"she", "her", "her"}, {"we", "us", "our"}, {"they", "them", "their"}}};
    const auto put = [&](std::string_view form, const std::string& why) {
        if (form != s.lower(i))
            to.push_back({s.replaced(i, form == "i" ? "I" : std::string(form)), CorrectionKind::pronoun, 0, false, why});
    };
    for (const auto& [subject, object, possessive] : kCases) {
        const std::string_view word = s.lower(i);
        if (word != subject && word != object && word != possessive) continue;
        const bool before_verb = is_one_of(s.tag(i + 1), {"VBD", "VBZ", "VBP", "MD"});
        if (word == object && before_verb && object != possessive) put(subject, "it is the subject");
        if (word == subject && i > 0 && is_one_of(s.tag(i - 1), {"IN", "VB", "VBG", "TO"}) && !before_verb)
            put(object, "it is no subject");
        if (is_one_of(s.tag(i + 1), {"NN", "NNS"}) && word != possessive) put(possessive, "a noun follows");
        if (word == possessive && object != possessive && word != "his" &&
            !is_one_of(s.tag(i + 1), {"NN", "NNS", "JJ", "JJR", "JJS", "NNP", "VBG", "VBN", "RB", "CD"}))
            put(object, "no noun follows");
    }
    // "My mother she is": the subject a second time.
    const bool is_second = is_one_of(s.lower(i), {"he", "she", "it", "they", "we"}) && i > 0 &&
                           is_one_of(s.tag(i - 1), {"NN", "NNS", "NNP"}) &&
                           is_one_of(s.tag(i + 1), {"VBD", "VBZ", "VBP", "MD"});
    if (is_second)
        to.push_back({s.removed(i, i + 1), CorrectionKind::pronoun, 0, false, "the subject stands there already"});
}

// Tokens [second, end) before [first, second).
void propose_swap(const WrittenSentence& s, size_t first, size_t second, size_t end, double evidence, const std::string& why,
                  CorrectionProposals& to) {
    const std::string words = s.text().substr(s.begin_of(second), s.end_of(end - 1) - s.begin_of(second)) + " " +
                              s.text().substr(s.begin_of(first), s.end_of(second - 1) - s.begin_of(first));
    to.push_back({s.replaced(first, end, words), CorrectionKind::order, evidence, false, why});
}

// "always is", "enough good"
void propose_adverb_order(const WrittenSentence& s, size_t i, CorrectionProposals& to) {
    if (i > 0 &&
        s.is_lower(i, {"always", "often", "usually", "never", "also", "sometimes", "already", "still", "only", "just"}) &&
        s.is_lower(i + 1, {"is", "are", "was", "were", "am", "can", "will", "could", "should", "would", "have", "has"}))
        propose_swap(s, i, i + 1, i + 2, 0, "such adverbs follow the auxiliary", to);
    if (s.is_lower(i, {"enough"}) && s.tag(i + 1) == "JJ")
        propose_swap(s, i, i + 1, i + 2, 0.5, "'enough' follows an adjective", to);
}

// "What you are doing?": in questions the auxiliary goes before the subject.
void propose_question_order(const WrittenSentence& s, size_t i, CorrectionProposals& to) {
    const bool asks =
        s.is_lower(s.size() - 1, {"?"}) && s.tag(i).starts_with("W") && (i == 0 || s.is_tag(i - 1, {",", "CC"}));
    if (!asks || s.tag(i + 1) != "PRP" || i + 2 >= s.size()) return;
    if (s.tag(i + 2) == "MD" || s.is_lemma(i + 2, {"be"}) || s[i + 2].pos == "AUX")
        propose_swap(s, i + 1, i + 2, i + 3, 0.5, "in a question the auxiliary goes before the subject", to);
}

// "I don't know what is it", "tell me where is it": within a sentence it does not.
void propose_report_order(const WrittenSentence& s, size_t i, CorrectionProposals& to) {
    const auto governs = [&](size_t word) { return s.is_tag(word, {"VB", "VBP", "VBD", "IN", "VBG"}); };
    const bool reports = s.tag(i).starts_with("W") && i > 0 && (governs(i - 1) || (s.tag(i - 1) == "PRP" && governs(i - 2)));
    if (!reports || !s.is_lower(i + 1, {"is", "are", "was", "were", "can", "will", "should"})) return;
    size_t end = i + 2;  // of what may be the subject
    while (end < i + 7 && s.is_tag(end, {"DT", "PRP$", "JJ", "JJS", "NN", "NNS", "NNP"})) ++end;
    const bool is_noun = end > i + 2 && s.tag(end - 1).starts_with("NN");
    const bool is_pronoun = s.tag(i + 2) == "PRP";
    if (is_pronoun) end = i + 3;
    if (is_noun || is_pronoun)
        propose_swap(s, i + 1, i + 2, end, 0, "an indirect question has the order of a statement", to);
}

void propose_order(const WrittenSentence& s, size_t i, CorrectionProposals& to) {
    if (i + 1 >= s.size()) return;
    propose_adverb_order(s, i, to);
    propose_question_order(s, i, to);
    propose_report_order(s, i, to);
}

}  // namespace

void propose_word_classes(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    for (size_t i = 0; i < s.size(); ++i) {
        if (!s.is_word(i)) continue;
        propose_pronoun(s, i, to);
        propose_order(s, i, to);
        const bool may_change = is_one_of(s.tag(i), {"JJ", "RB", "NN"}) && s[i].text.size() > 3;
        if (!may_change || (i > 0 && s.has_capital(i))) continue;
        for (const std::string& other : family_of(language, s[i].lower))
            to.push_back(
                {s.replaced(i, other), CorrectionKind::word_class, 0, false, "a word of another class may be meant"});
    }
}

}  // namespace craft
