#include <algorithm>

#include "english/doubled_words.h"
#include "english/listed_words.h"
#include "gec/rules/proposals.h"

namespace craft {

namespace {

constexpr size_t kMaxPhraseWords = 5;

std::string quoted_word(const std::string& word) {
    return "'" + word + "'";
}

void propose_doubled(const WrittenSentence& s, size_t i, CorrectionProposals& to) {
    if (i + 1 >= s.size() || s.lower(i) != s.lower(i + 1) || !s.is_word(i) || s.is_glued(i + 1)) return;
    if (may_stand_twice(s.tokens(), i + 1)) return;
    const bool is_sure = listed_words("undoubled_words").contains(s.lower(i));
    to.push_back({s.removed(i + 1, i + 2), CorrectionKind::doubled, 1, is_sure, quoted_word(s[i].text) + " stands twice"});
}

// Words that belong to a word further ahead: "prefer ... to", "the same ... as", "although ..." without "but".
void propose_partner(const WrittenSentence& s, size_t i, CorrectionProposals& to) {
    const auto is_before = [&](std::initializer_list<std::string_view> words) {
        for (size_t k = 0; k < i; ++k)
            if (is_one_of(s[k].lemma, words) || is_one_of(s.lower(k), words)) return true;
        return false;
    };
    const auto replace = [&](const char* other, const char* partner) {
        to.push_back({s.replaced(i, other), CorrectionKind::word_choice, 1, false,
                      quoted_word(partner) + " goes with " + quoted_word(other)});
    };
    if (s.lower(i) == "than" && is_before({"prefer"})) replace("to", "prefer");
    if (s.lower(i) == "than" && is_before({"same"})) replace("as", "same");
    const bool is_second = is_one_of(s.lower(i), {"but", "so"}) && i > 1 && s.lower(i - 1) == ",";
    const bool is_first = is_one_of(s.lower(0), {"although", "though", "because", "since"});
    if (is_second && is_first)
        to.push_back(
            {s.removed(i, i + 1), CorrectionKind::phrase, 1, false, quoted_word(s[0].text) + " joins the clauses already"});
    const bool is_age = s.lower(i) == "have" && s.tag(i + 1) == "CD" && is_one_of(s.lower(i + 2), {"years", "year"});
    if (is_age)
        to.push_back({s.replaced(i, i > 0 && s.lower(i - 1) == "i" ? "am" : "are"), CorrectionKind::word_choice, 1, false,
                      "an age goes with 'be'"});
}

}  // namespace

void propose_words(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    const CorrectionWords& words = language.words();
    for (size_t i = 0; i < s.size(); ++i) {
        propose_doubled(s, i, to);
        if (!s.is_word(i)) continue;
        propose_partner(s, i, to);
        for (size_t last = i + 1; last <= std::min(s.size(), i + kMaxPhraseWords); ++last) {
            const std::string phrase = s.phrase(i, last);
            for (const std::string& other : choices_of(words.wrong_phrases, phrase))
                to.push_back({s.replaced(i, last, other), CorrectionKind::phrase, 0, false,
                              quoted_word(phrase) + " is seldom right"});
            for (const std::string& other : choices_of(words.confused, phrase))
                to.push_back({s.replaced(i, last, other), CorrectionKind::word_choice, 0, false,
                              quoted_word(phrase) + " and " + quoted_word(other) + " are easily confused"});
        }
    }
}

}  // namespace craft
