// What an instruction in anybody's words asks for, read clause by clause with a small vocabulary.
// Every word is accounted for: in doubt it is not read.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "data/constraints/clause_reading.h"
#include "data/constraints/reading_vocabulary.h"
#include "data/constraints/request_check.h"

namespace craft {

struct InstructionReading {
    std::string refused;                 // "vague bound" or "unread": something that it says cannot be read; empty: all was
    std::string unknown_word;            // the first one of which nobody can tell what it makes of the others
    std::vector<ClauseReading> clauses;  // of constraints, in the order of the instruction
    // Numbers and quotations that are no part of these.
    std::set<int64_t> other_numbers;
    std::set<std::string> other_quotations;
};

// `sentences`: of the text that is to be revised, for those that are named by their place. Never throws on any bytes.
InstructionReading read_instruction(const std::string& text, const std::vector<std::string>& sentences,
                                    const ReadingVocabulary& vocabulary, const OwnWords& own_words);

}  // namespace craft
