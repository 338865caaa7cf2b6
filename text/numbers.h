// Numbers in instructions: digits, words and ordinals, both ways.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace craft {

// All three throw Error outside their range.
std::string number_words(int64_t value);    // 42 -> "forty-two", 105 -> "one hundred and five"; 0 <= value < 1,000,000
std::string ordinal_digits(int64_t value);  // 1 -> "1st", 12 -> "12th"; 0 <= value
std::string ordinal_words(int64_t value);   // 23 -> "twenty-third"; 0 <= value < 1,000,000

// The whole of `text` as a count: "350", "1,200", "forty-two", "a hundred and five", "twelve hundred"; any case, blanks or
// hyphens between words. Absent if it is anything else, is negative or does not fit.
std::optional<int64_t> parse_number(std::string_view text);
// The whole of `text` as an ordinal: "23rd", "twenty-third", "one hundred and fifth".
std::optional<int64_t> parse_ordinal(std::string_view text);

}  // namespace craft
