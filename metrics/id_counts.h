// How often n-grams occur in a text, by their numbers (metrics/ngrams.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace craft {

class IdCounts {
public:
    explicit IdCounts(size_t types) : counts_(types, 0) {}
    // Forgets the text before; takes time in the lengths of the two.
    void set(std::span<const uint32_t> ids) {
        for (const uint32_t id : distinct_) counts_[id] = 0;
        distinct_.clear();
        for (const uint32_t id : ids) {
            if (counts_[id]++ == 0) distinct_.push_back(id);
        }
    }
    uint32_t operator[](uint32_t id) const { return counts_[id]; }
    const std::vector<uint32_t>& distinct() const { return distinct_; }  // those that occur, each once

private:
    std::vector<uint32_t> counts_, distinct_;
};

}  // namespace craft
