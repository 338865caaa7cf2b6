// The source tree that the tests were built from.
#pragma once

#include <string>

namespace craft {

// The tree's folder, or what lies there: test_source("/share/texts"). Only the program's own source of it names the folder,
// so that a compiler cache serves every clone.
std::string test_source(const std::string& below = "");

}  // namespace craft
