// What stays and what changes between two texts, as Python's difflib.SequenceMatcher(None, a, b) finds it (CPython 3.11;
// Ratcliff and Obershelp's "gestalt" matching): the longest common block, then the same to its left and right. Not a
// shortest edit script.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace craft {

// The part [a_from, a_to) of the first text stands against [b_from, b_to) of the second.
struct TextChange {
    size_t a_from = 0, a_to = 0, b_from = 0, b_to = 0;
    bool operator==(const TextChange&) const = default;
};

constexpr int64_t kMaxMatcherSteps = int64_t{1} << 31;  // some seconds

// SequenceMatcher.get_opcodes() without "equal", in the order of the texts. With its automatic junk: where `b` has 200
// characters or more, those that are more than 1% of it (and one more) begin no match. Time depends on how characters
// repeat; throws Error if it takes more than `max_steps` comparisons.
std::vector<TextChange> text_changes(std::u32string_view a, std::u32string_view b, int64_t max_steps = kMaxMatcherSteps);

}  // namespace craft
