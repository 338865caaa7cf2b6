// An include that the check of the layers must find.
#pragma once

#include "judge/pairs.h"  // a sub-folder's line counts, not its folder's
