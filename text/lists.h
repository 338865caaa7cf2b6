// Several strings as one.
#pragma once

#include <string>
#include <vector>

namespace craft {

std::string join(const std::vector<std::string>& items, const std::string& separator);
// As a sentence lists them: "a, b and c".
std::string listed(const std::vector<std::string>& items);

}  // namespace craft
