// Whether a rewritten instruction still says what its constraints need.
#pragma once

#include <string>
#include <vector>

#include "data/instruction.h"

namespace craft {

// False if the rewritten text lost a number (digits or words, shifted forms included), a keyword in quotes or a sentence id.
// Sentences that the original names by their place are not looked for.
bool keeps_values(const std::string& rewritten, const std::string& original, const std::vector<Constraint>& constraints);

}  // namespace craft
