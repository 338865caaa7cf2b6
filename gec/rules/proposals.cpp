#include "gec/rules/proposals.h"

#include <algorithm>
#include <tuple>

namespace craft {

CorrectionProposals propose_corrections(const WrittenSentence& sentence, const CorrectionLanguage& language,
                                        const std::vector<ObservedError>& observed) {
    CorrectionProposals all;
    propose_observed(sentence, observed, all);
    for (const auto propose : {propose_verb_forms, propose_agreement, propose_verbs, propose_noun_numbers, propose_articles,
                               propose_prepositions, propose_spellings, propose_words, propose_word_classes, propose_marks})
        propose(sentence, language, all);
    std::erase_if(all, [&](const CorrectionProposal& one) {
        const TextReplacement& change = one.change;
        return sentence.text().compare(change.begin, change.end - change.begin, change.to) == 0;
    });
    const auto place = [](const CorrectionProposal& one) {
        return std::tie(one.change.begin, one.change.end, one.change.to);
    };
    std::stable_sort(all.begin(), all.end(), [&](const CorrectionProposal& a, const CorrectionProposal& b) {
        if (place(a) != place(b)) return place(a) < place(b);
        if (a.is_sure != b.is_sure) return a.is_sure;
        return a.evidence > b.evidence;
    });
    const auto same = [&](const CorrectionProposal& a, const CorrectionProposal& b) { return a.change == b.change; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
}

}  // namespace craft
