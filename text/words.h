// Words: white-space words and keyword counts; Treebank tokens stand in text/treebank.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/treebank.h"

namespace craft {

// Runs without white space (Unicode's, as Python's str.split()).
std::vector<std::string> whitespace_words(std::string_view text);
int64_t count_whitespace_words(std::string_view text);
// Case-insensitive non-overlapping substring count, as Python's text.lower().count(keyword.lower()). Empty keyword: 0.
int64_t count_keyword(std::string_view text, std::string_view keyword);
// Non-overlapping substring count as the bytes stand. Empty part: 0.
int64_t count_occurrences(std::string_view text, std::string_view part);

}  // namespace craft
