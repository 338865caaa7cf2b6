// A JSON object as lines for people.
#pragma once

#include <string>

#include "core/json.h"

namespace craft {

// One line a key, "key: value", what is inside indented; underscores become blanks, large numbers get separators.
std::string report_text(const Json& object);

}  // namespace craft
