// The domains of items, by which evaluations group their figures.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

// What a row says under "domain": a name as it is, "C2" and 2 as "c2". Of a row without it the number of its constraints
// where these are calls, as in CORD, and their kinds where they are easy ones (CRAFT App. B.1). Empty: nothing says it.
// Throws Error naming `where` where "domain" is neither.
std::vector<std::string> row_domains(const Json& row, const std::string& where);

}  // namespace craft
