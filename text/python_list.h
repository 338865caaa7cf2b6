// How Python prints a list of strings: what some reference implementations compare by accident.
#pragma once

#include <string>
#include <vector>

namespace craft {

// Python 3's str(texts): ['a', "b's"]. Quotes are chosen, and backslashes, quotes, control characters and others that
// Unicode does not count as printable are escaped as repr() does (by ICU's tables; Python's may be of another release of
// Unicode).
std::string python_list(const std::vector<std::string>& texts);

}  // namespace craft
