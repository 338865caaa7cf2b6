// What the agent's tool error_parsing said of a sentence, read from the observation that the model is shown, as proposals.
#pragma once

#include <string>
#include <vector>

#include "english/written_sentence.h"
#include "gec/rules/correction_kind.h"

namespace craft {

// A line of the tool: `substituted "see" (word 2): 'see' does not agree with 'She'; suggestions: sees`.
struct ObservedError {
    std::string kind;   // "substituted", "redundant", "missing"
    size_t word = 0;    // from 1; what is missing stands before it
    std::string words;  // as they stand there
    std::string why;
    std::vector<std::string> suggestions;
};

// Lines of another form are left out, and so are repairs that only a parse speaks for: they are right too seldom
// (docs/gec-tools.md).
std::vector<ObservedError> read_observed_errors(const std::string& observation);

// The suggestions as proposals. An error whose words do not stand at its place is left out.
void propose_observed(const WrittenSentence& sentence, const std::vector<ObservedError>& errors,
                      std::vector<CorrectionProposal>& to);

}  // namespace craft
