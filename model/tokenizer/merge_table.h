// Which neighbours merge into what. Inside model/tokenizer/ only.
#pragma once

#include <cstdint>
#include <vector>

namespace craft {

struct Merge {
    uint32_t rank = 0;  // lower ones come first
    uint32_t token = 0;
};

// A hash table with open addressing: one cache line a look-up, mostly.
class MergeTable {
public:
    explicit MergeTable(size_t max_merges) {
        size_t size = 16;
        while (size < max_merges * 2) size *= 2;
        entries_.resize(size);
    }

    // A later merge of the same neighbours replaces an earlier one. Needs at most max_merges different ones.
    void add(uint32_t left, uint32_t right, Merge merge) {
        Entry& entry = entries_[place(key(left, right))];
        entry = {key(left, right), merge};
    }
    const Merge* find(uint32_t left, uint32_t right) const {
        const Entry& entry = entries_[place(key(left, right))];
        return entry.key == kNone ? nullptr : &entry.merge;
    }

private:
    static constexpr uint64_t kNone = ~uint64_t{0};
    struct Entry {
        uint64_t key = kNone;
        Merge merge;
    };
    static uint64_t key(uint32_t left, uint32_t right) { return uint64_t{left} << 32 | right; }
    size_t place(uint64_t key) const {
        uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 32;
        size_t at = hash & (entries_.size() - 1);
        while (entries_[at].key != key && entries_[at].key != kNone) at = (at + 1) & (entries_.size() - 1);
        return at;
    }
    std::vector<Entry> entries_;
};

}  // namespace craft
