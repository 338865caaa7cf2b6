// Longest common subsequences of id sequences, by bit-parallel rows (Crochemore et al. 2001, "A fast and practical
// bit-vector algorithm for the longest common subsequence problem").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace craft {

// Compares one sequence with others; reused for sequence after sequence, it allocates little.
class CommonSubsequence {
public:
    // All ids lie below `ids`.
    explicit CommonSubsequence(size_t ids) : first_(ids, 0) {}

    void set(std::span<const uint32_t> sequence);  // must outlive the calls of mark()
    // The length of a longest common subsequence. Takes time in other.size() and, for each of its ids, the 64-bit words of
    // the sequence that hold that id.
    int64_t length(std::span<const uint32_t> other);
    // Marks the positions of the sequence in the common subsequence that rouge-score finds (rouge_scorer.py,
    // _backtrack_norec): from both ends, equal ids are taken; else the step that keeps the longer rest, in the sequence
    // where both do. Holds at most kStoredWords rows of bits at once, however long the texts.
    void mark(std::span<const uint32_t> other, std::vector<bool>& marks);

private:
    static constexpr size_t kStoredWords = size_t{1} << 21;
    struct Part {  // where an id stands among 64 positions of the sequence
        uint32_t word = 0;
        uint64_t positions = 0;
    };
    void advance(uint32_t id, std::vector<uint64_t>& row) const;
    bool shares(std::span<const uint32_t> other) const;

    std::span<const uint32_t> sequence_;
    size_t words_ = 0;
    std::vector<uint32_t> first_;  // of each id, its first part; 0: none
    std::vector<uint32_t> used_;   // the ids that have parts
    std::vector<Part> parts_;      // an id's parts one after the other, with an empty one after
    std::vector<uint64_t> row_, stored_, starts_;
};

}  // namespace craft
