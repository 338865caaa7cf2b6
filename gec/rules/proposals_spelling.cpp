#include <algorithm>

#include "english/letter_changes.h"
#include "gec/rules/proposals.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kMaxSpellings = 6;

// "NATO", "iMessage", "McAdam", and what has no small letter of ours.
bool has_own_capitals(const std::string& word) {
    return std::any_of(word.begin() + 1, word.end(), [](char c) { return c >= 'A' && c <= 'Z'; }) ||
           std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// A word that may be judged by its letters: no name, number, abbreviation or part of a contraction.
bool may_be_misspelled(const WrittenSentence& s, size_t i) {
    const EnglishToken& token = s[i];
    if (!s.is_word(i) || token.text.size() < 3 || has_own_capitals(token.text) || token.text.find('\'') != std::string::npos)
        return false;
    if (s.is_glued(i) || (i + 1 < s.size() && s.is_glued(i + 1) && s.is_word(i + 1))) return false;
    return i == 0 || !s.has_capital(i);
}

void propose_other_spellings(const WrittenSentence& s, const CorrectionLanguage& language, size_t i,
                             CorrectionProposals& to) {
    const EnglishToken& token = s[i];
    const std::vector<std::string>& listed = choices_of(language.words().misspelled, token.lower);
    const bool is_sure = language.words().surely_misspelled.contains(token.lower);
    for (const std::string& one : listed)
        to.push_back(
            {s.replaced(i, one), CorrectionKind::spelling, 1, is_sure, "'" + token.text + "' is a common misspelling"});
    if (is_sure || !may_be_misspelled(s, i) || language.knows(token.text) || language.knows(token.lower)) return;
    const double rarity = language.rarity(token.lower);
    // What many people write is a word that dictionaries lack ("blog").
    const double known = rarity < 0.65 ? -3 : 0;
    double rank = 0;
    for (const std::string& one : language.spellings(token.lower, kMaxSpellings)) {
        const double letters = static_cast<double>(letter_changes(token.lower, lowercase(one)));
        if (s.has_capital(i) && letters > 1) continue;  // at the beginning of a sentence, where a name may stand, too
        to.push_back({s.replaced(i, one), CorrectionKind::spelling, known - 0.5 * std::max(0.0, letters - 1) - 0.3 * rank,
                      false, "'" + token.text + "' is in no dictionary"});
        rank += 1;
    }
}

// "some one", "with out", "an other".
void propose_joined(const WrittenSentence& s, const CorrectionLanguage& language, size_t i, CorrectionProposals& to) {
    if (i + 1 >= s.size() || s.is_glued(i + 1) || !s.is_word(i) || !s.is_word(i + 1)) return;
    if (s.lower(i + 1).find('\'') != std::string_view::npos) return;  // "do n't" of tokenised texts
    const std::string joined = s[i].lower + s[i + 1].lower;
    const bool is_short = s[i].text.size() < 2 || s[i + 1].text.size() < 2 || joined.size() < 5;
    if (is_short || s.has_capital(i + 1) || !language.knows(joined) || language.rarity(joined) > 0.6) return;
    to.push_back({s.replaced(i, i + 2, joined), CorrectionKind::joined, 0, false, "'" + joined + "' may be one word"});
}

}  // namespace

void propose_spellings(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    for (size_t i = 0; i < s.size(); ++i) {
        propose_other_spellings(s, language, i, to);
        propose_joined(s, language, i, to);
    }
}

}  // namespace craft
