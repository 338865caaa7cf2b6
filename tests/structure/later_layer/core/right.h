// Nothing is wrong here but the table.
#pragma once

#include "text/utf8.h"
