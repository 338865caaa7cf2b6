// Words and n-grams as small numbers, so that counting and comparing them needs no strings. Equal ids mean equal n-grams: the tables
// compare what they hold, a hash alone decides nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace craft {

using TokenTexts = std::vector<std::string_view>;

// Several sequences over one numbering 0, 1, ... of what occurs in them, in the order of first occurrence.
struct IdSequences {
    std::vector<std::vector<uint32_t>> ids;
    uint32_t count = 0;  // different ones
};

IdSequences token_ids(std::span<const TokenTexts> sequences);
// The n-grams of order n of `tokens`, given those of order n - 1 of the same sequences (`tokens` itself for n = 2). A sequence of
// fewer than n tokens has none.
IdSequences ngram_ids(const IdSequences& tokens, const IdSequences& shorter, int n);

// How often each id occurs in one sequence, and which do, each once.
class IdCounts {
public:
    explicit IdCounts(uint32_t count) : counts_(count, 0) {}
    // Forgets the sequence before; takes time in the lengths of the two.
    void set(std::span<const uint32_t> sequence);
    uint32_t operator[](uint32_t id) const { return counts_[id]; }
    const std::vector<uint32_t>& distinct() const { return distinct_; }

private:
    std::vector<uint32_t> counts_, distinct_;
};

}  // namespace craft
