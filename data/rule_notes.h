// Rules of everyday life, said in many ways, and the notes that sum them up: "No fewer than 13 chairs are needed" is noted
// as "chairs: more than 12". An exercise for the base model in the language of amounts, order and change.
#pragma once

#include <string>
#include <vector>

#include "core/rng.h"

namespace craft {

struct RuleNotes {
    std::string rules;               // one to four, as running text
    std::vector<std::string> notes;  // one a rule, in their order
};

// `words` name what the rules are about. Throws std::logic_error if there are none.
RuleNotes make_rule_notes(const std::vector<std::string>& words, Rng& rng);

}  // namespace craft
