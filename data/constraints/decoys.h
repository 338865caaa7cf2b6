// Limits that an instruction mentions and does not set: said first and then changed, or taken back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/constraints/wordings.h"
#include "data/instruction.h"

namespace craft {

// The limit `gold` with another value, of the same split: what was meant before it. Of a keyword's frequency the number is
// another; of sentences and of words to keep or remove it is other ones of the text. `others`: the instruction's
// constraints, whose keywords it does not touch. Empty if there is none.
std::optional<Constraint> changed_limit(const Constraint& gold, const std::vector<Constraint>& others,
                                        const std::vector<std::string>& sentences, Split split, Rng& rng);

// A limit, of the same split, of a sub-type that none of the constraints has. Empty if there is none.
std::optional<Constraint> stray_limit(const std::vector<Constraint>& constraints, const std::vector<std::string>& sentences,
                                      Split split, Rng& rng);

}  // namespace craft
