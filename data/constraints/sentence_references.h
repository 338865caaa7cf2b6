// Which sentences of a text an instruction names: "sentences 3 and 5", "the 2nd and the last sentence", "the sentence that
// begins with ...".
#pragma once

#include <string>
#include <vector>

#include "data/constraints/instruction_tokens.h"
#include "data/constraints/reading_vocabulary.h"

namespace craft {

// The instruction as signs, with an item for each stretch that names sentences. `sentences`: of the text that is revised; a
// place that none of them has leaves the words as they are.
Items items_of(const std::vector<Token>& tokens, const ReadingVocabulary& vocabulary,
               const std::vector<std::string>& sentences);

}  // namespace craft
