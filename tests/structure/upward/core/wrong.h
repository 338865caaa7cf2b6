// An include that the check of the layers must find.
#pragma once

#include "text/utf8.h"  // core stands below text
