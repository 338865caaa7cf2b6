// An include that the check of the layers must find.
#pragma once

#include "../core/error.h"  // where this leads depends on where it stands
