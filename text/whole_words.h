// Occurrences of words and phrases as they stand, but not within longer ones.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// Parts that are looked for together, in one pass over a text however many they are. An occurrence is the part's bytes as
// they stand, no part of a longer word, number or command: a letter of the part at its edge touches no further letter, and a
// digit no further digit. "\in" is not in "\infty", nor "Ann" in "Annual". An empty part has none.
class WholeParts {
public:
    // Keeps views of the parts, which must outlive it. Of a part that is given twice the first one is found.
    explicit WholeParts(const std::vector<std::string>& parts);
    explicit WholeParts(std::vector<std::string>&&) = delete;

    // How often each part stands in the text. Occurrences do not overlap: from left to right the longest part counts, so
    // that a "York" in "New York" is none where "New York" is a part too.
    std::vector<int64_t> count(std::string_view text) const;
    // Which parts stand in the text at all, also within others.
    std::vector<bool> present(std::string_view text) const;

private:
    struct Part {
        std::string_view text;
        size_t index;
    };
    struct Range {
        size_t begin = 0, end = 0;
    };
    template <typename Found>
    void for_each_at(std::string_view text, size_t at, Found found) const;
    size_t count_;
    std::vector<Part> sorted_;
    std::array<Range, 256> by_first_{};  // those of sorted_ that begin with a byte
};

}  // namespace craft
