// What two sequences of words share, by as few differences as possible.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace craft {

// Positions (a, b) of a longest common subsequence, rising in both (Myers 1986, "An O(ND) difference algorithm and its
// variations"). Takes time in proportion to the words and to the differences. Sequences that differ in more than
// kMaxWordDifferences words share only what they begin and end with.
constexpr size_t kMaxWordDifferences = 2000;
std::vector<std::pair<size_t, size_t>> common_words(const std::vector<std::string_view>& a,
                                                    const std::vector<std::string_view>& b);

// Words of a between `a_begin` and `a_end` stand where those of b between `b_begin` and `b_end` stood before, or instead.
struct ChangedWords {
    size_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;
    bool reordered = false;  // the same words in another order, case aside
    bool operator==(const ChangedWords&) const = default;
};

// What lies between the common words, in order: as coarse as they leave it. Removals and insertions near each other that
// only move words are one, reordered.
std::vector<ChangedWords> changed_regions(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b);
// The same with regions cut into changes of single words where words are alike ("is agree" -> "agrees" is a removal and
// another form); words that were joined or parted ("every day" -> "everyday") stay one change.
std::vector<ChangedWords> changed_words(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b);

}  // namespace craft
