// Rules of everyday life, said in many ways, with their notes and calls: "No fewer than 13 chairs are needed" is noted as
// "chairs: more than 12" and written as chairs(12, "more"). The base model practises with them the language of amounts,
// order and change. No phrase is a development wording of share/wordings (tests/constraints/rule_notes_test.cpp).
#pragma once

#include <string>
#include <vector>

#include "core/rng.h"

namespace craft {

struct RuleNotes {
    std::string rules;               // one to four, as running text
    std::vector<std::string> said;   // each of them as it stands there
    std::vector<std::string> notes;  // one a rule, in their order
    std::vector<std::string> calls;  // of made-up functions, one a rule, two where it sets two bounds
};

// `words` name what the rules are about. Throws std::logic_error if there are none.
RuleNotes make_rule_notes(const std::vector<std::string>& words, Rng& rng);

}  // namespace craft
