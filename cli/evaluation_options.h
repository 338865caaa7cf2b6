// What evaluations say of the texts that they got.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "core/options.h"

namespace craft {

// Says how many revisions hold nothing but white space, if there are any: such are scored like others, though more often
// than not a system failed. `counts` are numbers under the keys that the result has them under.
void warn_of_empty_revisions(const Json& counts);

}  // namespace craft
