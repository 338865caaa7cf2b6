// What a candidate does to its source's structure.
#pragma once

#include "data/word_alignment.h"
#include "judge/verdicts/principles/measured_sentence.h"
#include "judge/verdicts/principles/principle.h"

namespace craft {

struct StructuralLimits {
    double step = 1;             // structures whose hardness differs by less are equally hard
    int64_t long_sentence = 18;  // words from which on dividing a sentence helps
    int64_t clearer = 4;         // words fewer before the main verb
};

PrincipleFindings structural_findings(const MeasuredSentence& source, const MeasuredSentence& candidate,
                                      const WordAlignment& alignment, const StructuralLimits& limits = {});

// Whether the candidate has the source's structure: as many sentences, the same clauses and
// voices but for two at most (which is what parsers differ by when words change), words in their order.
bool has_same_structure(const MeasuredSentence& source, const MeasuredSentence& candidate, const WordAlignment& alignment);

}  // namespace craft
