// Questions of several threads answered together: a model computes a few sentences at once almost as fast as one.
#pragma once

#include "text/text_replacement.h"

namespace craft {

// Asks `gains` by one thread at a time, about all that waits by then. What it throws, all whose questions were among these
// get.
ReplacementGains joined_gains(ReplacementGains gains);

}  // namespace craft
