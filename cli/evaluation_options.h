// What evaluations say of the texts that they got, and what they have in common.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "core/options.h"

namespace craft {

// Says how many revisions hold nothing but white space, if there are any: such are scored like others, though more often
// than not a system failed. `counts` are numbers under the keys that the result has them under.
void warn_of_empty_revisions(const Json& counts);

// --rounds: figures after each round of `revise --method iter`, under corpus.by_round (CRAFT Fig. 3).
Option& bind_rounds_of_outputs(OptionTable& table, bool& rounds);

}  // namespace craft
