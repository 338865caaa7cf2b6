#include <algorithm>

#include "english/dictionary/noun_facts.h"
#include "gec/rules/proposals.h"

namespace craft {

namespace {

bool begins_noun_phrase(const WrittenSentence& s, size_t i) {
    return is_one_of(s.tag(i), {"DT", "PRP$", "PRP", "NN", "NNS", "NNP", "NNPS", "JJ", "WP", "CD"});
}

// Prepositions that stand there: another one, or none.
void propose_other_preposition(const WrittenSentence& s, const CorrectionLanguage& language, size_t i,
                               CorrectionProposals& to) {
    const EnglishToken& token = s[i];
    const std::vector<std::string>& others = choices_of(language.words().prepositions, token.lower);
    const bool is_preposition = is_one_of(token.tag, {"IN", "RP", "TO"}) &&
                                is_one_of(token.dep, {"prep", "prt", "agent", "dative", "advmod", "pcomp"});
    if (others.empty() || !is_preposition || (token.tag == "TO" && s.tag(i + 1) == "VB")) return;
    const std::string governor = i > 0 ? s[i - 1].lemma : "";
    const std::vector<std::string>& wanted = choices_of(language.words().wanted_preposition, governor);
    const auto is_wanted = [&](std::string_view one) {
        return std::find(wanted.begin(), wanted.end(), one) != wanted.end();
    };
    const bool is_usual = is_wanted(token.lower);
    for (const std::string& other : others) {
        const bool other_usual = is_wanted(other);
        if (is_usual && !other_usual) continue;
        to.push_back({s.replaced(i, other), CorrectionKind::preposition_choice, other_usual && !is_usual ? 1.0 : -3.0, false,
                      other_usual ? "'" + s[i - 1].text + "' may ask for '" + other + "'" : "'" + other + "' may be meant"});
    }
    if (is_usual) return;
    const std::vector<std::string>& redundant = choices_of(language.words().no_preposition, governor);
    const bool is_redundant = std::find(redundant.begin(), redundant.end(), token.lower) != redundant.end();
    const bool is_adverb =
        i + 1 < s.size() && is_one_of(s.lower(i + 1), {"home", "there", "here", "abroad", "last", "next", "every", "this",
                                                       "yesterday", "tomorrow", "today"});
    if (is_redundant || is_adverb || i == 0 ||
        is_one_of(token.lower, {"of", "to", "in", "for", "on", "about", "with", "at"}))
        to.push_back(
            {s.removed(i, i + 1), CorrectionKind::preposition_redundant,
             is_redundant ? 3.0
             : is_adverb  ? -1.0
                          : -4.0,
             false,
             is_redundant ? "'" + s[i - 1].text + "' takes no '" + token.text + "'" : "no preposition may be needed"});
}

// Between a word that asks for a preposition and the noun phrase after it.
void propose_missing_preposition(const WrittenSentence& s, const CorrectionLanguage& language, size_t i,
                                 CorrectionProposals& to) {
    if (i == 0 || !begins_noun_phrase(s, i)) return;
    for (const std::string& wanted : choices_of(language.words().wanted_preposition, s[i - 1].lemma)) {
        if (is_one_of(wanted, {"up"})) continue;
        to.push_back({s.inserted_before(i, wanted), CorrectionKind::preposition_missing, 0.5, false,
                      "'" + s[i - 1].text + "' may ask for '" + wanted + "'"});
    }
    // "I met him Monday", "born 1990".
    const bool is_day = is_weekday(s.lower(i)) && !s.lower(i).ends_with("days");
    const bool is_year =
        s[i].tag == "CD" && s[i].text.size() == 4 && (s[i].text.starts_with("19") || s[i].text.starts_with("20"));
    if ((is_day || is_year) && !is_one_of(s.tag(i - 1), {"IN", "DT", "JJ", "NNP", ",", "CD", "TO"}))
        to.push_back({s.inserted_before(i, is_day ? "on" : "in"), CorrectionKind::preposition_missing, 0, false,
                      "a time without a preposition"});
}

}  // namespace

void propose_prepositions(const WrittenSentence& s, const CorrectionLanguage& language, CorrectionProposals& to) {
    for (size_t i = 0; i < s.size(); ++i) {
        propose_other_preposition(s, language, i, to);
        propose_missing_preposition(s, language, i, to);
    }
}

}  // namespace craft
