// What the clauses of a sentence are about: counts, quoted words, sentences of the text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/constraints/reading_vocabulary.h"

namespace craft {

// Of a count there are one or two numbers and a unit; a keyword beside it is counted.
struct ClauseTarget {
    size_t begin = 0, end = 0;    // the items that name it
    std::vector<size_t> numbers;  // the items that are its numbers
    Sign unit = Sign::unknown;    // word, sentence or times
    std::vector<std::string> keywords;
    std::vector<int64_t> ids;  // of named sentences
};

// In the order of the items, which are those of one sentence of an instruction. A number without a unit is none.
std::vector<ClauseTarget> clause_targets(const Items& items);

}  // namespace craft
