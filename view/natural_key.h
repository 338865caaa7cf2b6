// Names in the order in which people count.
#pragma once

#include <string>

namespace craft {

// Compares as `name` does, but for runs of digits, which stand by their value: round-10 after round-9.
std::string natural_key(const std::string& name);

}  // namespace craft
