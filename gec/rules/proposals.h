// Corrections that a sentence may need, one family of rules a source (proposals_verbs.cpp, ...). Rules are generous: which
// of their proposals are taken a model of language and thresholds decide (correction_plan.h). Tags and heads of sentences
// with errors are often wrong, so that few proposals lean on a parse alone.
#pragma once

#include <vector>

#include "english/written_sentence.h"
#include "gec/rules/correction_kind.h"
#include "gec/rules/correction_language.h"
#include "gec/rules/observed_errors.h"

namespace craft {

using CorrectionProposals = std::vector<CorrectionProposal>;

// Each adds to `to`.
void propose_verb_forms(const WrittenSentence&, const CorrectionLanguage&,
                        CorrectionProposals& to);  // after what governs verbs
void propose_agreement(const WrittenSentence&, const CorrectionLanguage&, CorrectionProposals& to);  // and tenses
void propose_verbs(const WrittenSentence&, const CorrectionLanguage&,
                   CorrectionProposals& to);  // that are missing, and "to"
void propose_noun_numbers(const WrittenSentence&, const CorrectionLanguage&, CorrectionProposals& to);  // and determiners
void propose_articles(const WrittenSentence&, const CorrectionLanguage&, CorrectionProposals& to);
void propose_prepositions(const WrittenSentence&, const CorrectionLanguage&, CorrectionProposals& to);
void propose_spellings(const WrittenSentence&, const CorrectionLanguage&,
                       CorrectionProposals& to);  // and words joined or split
void propose_words(const WrittenSentence&, const CorrectionLanguage&,
                   CorrectionProposals& to);  // confused, doubled, phrases
void propose_word_classes(const WrittenSentence&, const CorrectionLanguage&,
                          CorrectionProposals& to);                                              // and pronouns, order
void propose_marks(const WrittenSentence&, const CorrectionLanguage&, CorrectionProposals& to);  // commas, stops, capitals

// All families and what a tool observed; of equal changes the one with the most evidence, in the order of their places. None
// that changes nothing.
CorrectionProposals propose_corrections(const WrittenSentence& sentence, const CorrectionLanguage& language,
                                        const std::vector<ObservedError>& observed = {});

}  // namespace craft
