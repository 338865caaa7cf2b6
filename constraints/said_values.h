// The numbers and the quoted words that stand in an instruction.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace craft {

// In digits or in words, as counts or as ordinals, the longest reading first: "one hundred and five" is 105 and holds no 5.
std::set<int64_t> numbers_in(const std::string& text);
// What stands between quotation marks of any kind, without the punctuation before the closing one; apostrophes are none.
std::set<std::string> quoted_in(const std::string& text);

}  // namespace craft
