// CRAFT's Tables 12 and 13: what sets of instructions consist of.
#pragma once

#include <string>
#include <vector>

#include "data/instruction.h"
#include "eval/results/table.h"
#include "text/sentences.h"

namespace craft {

struct NamedInstructions {
    std::string name;
    std::vector<Instruction> instructions;
};

// A row a domain (of several sets: of each), columns are texts, their sentences, and their words between white space, which
// are what the paper's tokens are.
Table domain_table(const std::vector<NamedInstructions>& sets, SentenceRule sentences = SentenceRule::paper);
// A row a sub-type and one of all, a column a set: constraints of it. Those of none of the 19 shapes have a row of their own
// where there are any.
Table sub_type_table(const std::vector<NamedInstructions>& sets);

}  // namespace craft
