// What a candidate does to its source's words.
#pragma once

#include "data/word_alignment.h"
#include "judge/verdicts/principles/measured_sentence.h"
#include "judge/verdicts/principles/principle.h"

namespace craft {

struct LexicalLimits {
    double margin = 0.05;         // words whose difficulties are nearer to each other are equally hard
    double min_similarity = 0.2;  // words in one another's place that are less alike say something else
};

// `alignment` is of these two, its words those of the measured ones. Throws std::invalid_argument where their numbers
// differ.
PrincipleFindings lexical_findings(const MeasuredSentence& source, const MeasuredSentence& candidate,
                                   const WordAlignment& alignment, const LexicalLimits& limits = {});

// How much easier words became, in all: what tells candidates apart that meet the same principles.
double difficulty_drop(const MeasuredSentence& source, const MeasuredSentence& candidate);

}  // namespace craft
